package dev.ron.mailbox.core.state;

import dev.ron.mailbox.core.message.Ulid;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Messages by the moment something is due for them, the earliest first.
 *
 * <p>Threading: owned by the shard's loop.
 */
final class DueTimes {
  /** Nothing is due, ever. */
  static final long NEVER = Long.MAX_VALUE;

  private final TreeSet<Due> dues = new TreeSet<>();

  private record Due(long millis, Ulid id) implements Comparable<Due> {
    @Override
    public int compareTo(Due other) {
      int byTime = Long.compare(millis, other.millis);
      return byTime != 0 ? byTime : id.compareTo(other.id);
    }
  }

  void add(Ulid id, long millis) {
    if (!dues.add(new Due(millis, id))) {
      throw new IllegalStateException(id + " is due twice at " + millis);
    }
  }

  void remove(Ulid id, long millis) {
    if (!dues.remove(new Due(millis, id))) {
      throw new IllegalStateException(id + " is not due at " + millis);
    }
  }

  /** Due at {@code now} or before; at its very millisecond a thing is due. */
  List<Ulid> until(long nowMillis, int max) {
    var due = new ArrayList<Ulid>();
    for (Due next : dues) {
      if (next.millis() > nowMillis || due.size() == max) {
        break;
      }
      due.add(next.id());
    }
    return due;
  }

  long nextMillis() {
    return dues.isEmpty() ? NEVER : dues.first().millis();
  }

  int size() {
    return dues.size();
  }
}
