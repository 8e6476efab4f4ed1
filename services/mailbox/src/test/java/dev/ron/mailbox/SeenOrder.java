package dev.ron.mailbox;

import dev.ron.mailbox.core.message.Ulid;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * In which order clients first saw messages, and how far one was overtaken by others.
 *
 * <p>Ids rise within a shard in the order of the sends. A message is overtaken by each one of its
 * topic and shard that was sent later and that some client had in its hands before the request that
 * first brought this one began; or that stood before it in the same answer. So requests that merely
 * overlap accuse nobody, and everything that is counted really came in the wrong order.
 *
 * <p>Threading: thread-safe.
 */
final class SeenOrder {
  private final Map<Ulid, Sight> first = new ConcurrentHashMap<>();

  /** The first time somebody saw a message; times are of one clock of the test's process. */
  private record Sight(String topic, long askedNanos, long answeredNanos, int place) {
    boolean surelyBefore(Sight other) {
      return answeredNanos < other.askedNanos
          || (askedNanos == other.askedNanos
              && answeredNanos == other.answeredNanos
              && place < other.place);
    }
  }

  /** An answer's messages, in its order. */
  void saw(String topic, List<String> ids, long askedNanos, long answeredNanos) {
    for (int place = 0; place < ids.size(); place++) {
      Ulid id = Ulid.parse(ids.get(place)).orElseThrow();
      var sight = new Sight(topic, askedNanos, answeredNanos, place);
      first.merge(id, sight, (a, b) -> b.answeredNanos() < a.answeredNanos() ? b : a);
    }
  }

  int size() {
    return first.size();
  }

  /** By how many the worst was overtaken. */
  int depthMax() {
    var lanes = new TreeMap<String, List<Map.Entry<Ulid, Sight>>>();
    for (Map.Entry<Ulid, Sight> each : first.entrySet()) {
      String lane = each.getKey().shard() + " " + each.getValue().topic();
      lanes.computeIfAbsent(lane, _ -> new ArrayList<>()).add(each);
    }
    int most = 0;
    for (List<Map.Entry<Ulid, Sight>> lane : lanes.values()) {
      lane.sort(Map.Entry.comparingByKey());
      for (int i = 0; i < lane.size(); i++) {
        Sight late = lane.get(i).getValue();
        int depth = 0;
        for (int later = i + 1; later < lane.size(); later++) {
          depth += lane.get(later).getValue().surelyBefore(late) ? 1 : 0;
        }
        most = Math.max(most, depth);
      }
    }
    return most;
  }
}
