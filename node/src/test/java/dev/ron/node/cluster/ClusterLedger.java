package dev.ron.node.cluster;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Everything that the machines of a cluster acknowledged to the clients of a test, and every answer
 * that contradicts it.
 *
 * <p>Threading: thread-safe.
 */
final class ClusterLedger {
  /** What clients ask for; each has its own longest time without an answer that grants. */
  enum Work {
    SEND,
    RECEIVE,
    QUEUE,
    OBJECT,
    NAME,
    CLAIM,
    READ,
    TILE,
    EPOCH
  }

  private final Map<Work, AtomicLong> longest = new EnumMap<>(Work.class);
  private final Map<Work, AtomicLong> granted = new EnumMap<>(Work.class);

  /** Messages by the key they were sent with; a queue's by their body. */
  final Set<String> sent = ConcurrentHashMap.newKeySet();

  private final Map<String, String> ids = new ConcurrentHashMap<>();
  private final Set<String> taken = ConcurrentHashMap.newKeySet();
  private final Map<String, Long> newest = new ConcurrentHashMap<>();

  /** Contents of objects by address, and of names by key. */
  final Map<String, String> objects = new ConcurrentHashMap<>();

  final Map<String, String> names = new ConcurrentHashMap<>();

  /** Roots of epochs that were shown as closed. */
  final Map<String, String> epochs = new ConcurrentHashMap<>();

  /** Keys of which each may be made once, by the content that was acknowledged. */
  final Map<String, String> claims = new ConcurrentHashMap<>();

  /** Claims that were refused because the key was there, so that it must be at the end. */
  final Set<String> lost = ConcurrentHashMap.newKeySet();

  private volatile Map.@Nullable Entry<String, String> lately;

  private final Set<String> contradictions = ConcurrentHashMap.newKeySet();

  ClusterLedger() {
    for (Work each : Work.values()) {
      longest.put(each, new AtomicLong());
      granted.put(each, new AtomicLong());
    }
  }

  void contradicts(String what) {
    contradictions.add(what);
  }

  Set<String> contradictions() {
    return new TreeSet<>(contradictions);
  }

  /** A client's request was granted, so long after its last one. */
  void granted(Work work, long nanosSince) {
    longest.get(work).accumulateAndGet(nanosSince, Math::max);
    granted.get(work).incrementAndGet();
  }

  /** A message came: under one id alone, and never once its receipt was acknowledged. */
  void received(String key, String id) {
    String before = ids.putIfAbsent(key, id);
    if (before != null && !before.equals(id)) {
      contradicts("%s was sent once and is there as %s and as %s".formatted(key, before, id));
    }
    if (taken.contains(key)) {
      contradicts("%s was acknowledged by its receiver and came again".formatted(key));
    }
  }

  /** One of a group, whose messages come in the order they were sent. */
  void inOrder(String group, long number) {
    long before = newest.getOrDefault(group, -1L);
    if (number > before + 1) {
      contradicts("%s: %d came before %d".formatted(group, number, before + 1));
    }
    newest.merge(group, number, Math::max);
  }

  void took(String key) {
    taken.add(key);
  }

  /**
   * What was acknowledged and never came. What came once may not come again: its receiver may have
   * been told nothing of an acknowledgement that counts.
   */
  Set<String> missing() {
    var missing = new TreeSet<>(sent);
    missing.removeAll(ids.keySet());
    return missing;
  }

  void named(String key, String content) {
    names.put(key, content);
    lately = Map.entry(key, content);
  }

  /** One that was put of late; null before the first. */
  Map.@Nullable Entry<String, String> lately() {
    return lately;
  }

  /** A claim that was granted; only one may be. */
  void claimed(String key, String content) {
    String before = claims.putIfAbsent(key, content);
    if (before != null) {
      contradicts("%s was made once by %s and once by %s".formatted(key, before, content));
    }
  }

  /** All requests that were granted. */
  long count() {
    return granted.values().stream().mapToLong(AtomicLong::get).sum();
  }

  /** The longest times since this was last asked, in words. */
  String pauses() {
    return List.of(Work.values()).stream()
        .map(each -> "%s %d ms".formatted(each, longest(each).toMillis()))
        .collect(Collectors.joining(", "));
  }

  /**
   * But for epochs, which wait for one machine to be back: it has the authority, and no other
   * closes them.
   */
  Duration longest() {
    return List.of(Work.values()).stream()
        .filter(each -> each != Work.EPOCH)
        .map(this::longest)
        .max(Duration::compareTo)
        .orElse(Duration.ZERO);
  }

  private Duration longest(Work work) {
    return Duration.ofNanos(longest.get(work).get());
  }

  void forgetPauses() {
    longest.values().forEach(each -> each.set(0));
  }

  String counts() {
    return granted.entrySet().stream()
        .map(each -> "%s %d".formatted(each.getKey(), each.getValue().get()))
        .collect(Collectors.joining(", "));
  }
}
