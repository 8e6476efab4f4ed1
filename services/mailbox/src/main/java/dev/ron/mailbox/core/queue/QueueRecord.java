package dev.ron.mailbox.core.queue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * One queue, as its home shard keeps it.
 *
 * <p>The shard that made it is its home for good: a change of {@code shard_count} would else put
 * its new messages into another shard than its old ones, and their order would be lost.
 *
 * <p>Threading: immutable.
 *
 * @param opaque attributes that are given back as they were set and mean nothing here
 * @param shard its home
 * @param version rises with every change
 * @param generation rises with a purge: deduplication ids of before count no more
 * @param dedupPerGroup as it was when the queue was made; a later change is shown, and has no
 *     effect
 */
public record QueueRecord(
    String topic,
    QueueSettings settings,
    Map<String, String> opaque,
    Map<String, String> tags,
    long createdMillis,
    long changedMillis,
    long purgedMillis,
    long version,
    long generation,
    boolean dedupPerGroup,
    int shard) {
  /** With its settings, its places in maps, and the same in the machine's directory. */
  private static final int RECORD_BYTES = 1024;

  /** An entry of a map, in characters. */
  private static final int ENTRY_CHARS = 48;

  public QueueRecord {
    opaque = sorted(opaque);
    tags = sorted(tags);
  }

  private static Map<String, String> sorted(Map<String, String> map) {
    return map.isEmpty() ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(map));
  }

  /** A queue that is to be made; the shard sets the rest. */
  public static QueueRecord wanted(
      String topic, QueueSettings settings, Map<String, String> opaque, Map<String, String> tags) {
    return new QueueRecord(
        topic, settings, opaque, tags, 0, 0, 0, 0, 0, settings.dedupPerGroup(), 0);
  }

  public boolean fifo() {
    return QueueTopic.isFifo(topic);
  }

  public QueueRecord with(QueueSettings next) {
    return with(next, opaque, tags);
  }

  public QueueRecord withOpaque(Map<String, String> next) {
    return with(settings, next, tags);
  }

  public QueueRecord withTags(Map<String, String> next) {
    return with(settings, opaque, next);
  }

  private QueueRecord with(
      QueueSettings next, Map<String, String> nextOpaque, Map<String, String> nextTags) {
    return new QueueRecord(
        topic,
        next,
        nextOpaque,
        nextTags,
        createdMillis,
        changedMillis,
        purgedMillis,
        version,
        generation,
        dedupPerGroup,
        shard);
  }

  private QueueRecord at(long changed, long purged, long laterGeneration) {
    return new QueueRecord(
        topic,
        settings,
        opaque,
        tags,
        createdMillis,
        changed,
        purged,
        version + 1,
        laterGeneration,
        dedupPerGroup,
        shard);
  }

  /** As it is kept from its making on; a queue that is made anew is of a later generation. */
  public QueueRecord made(int home, long nowMillis) {
    return new QueueRecord(
        topic,
        settings,
        opaque,
        tags,
        nowMillis,
        nowMillis,
        0,
        1,
        nowMillis,
        settings.dedupPerGroup(),
        home);
  }

  /** With what another record of the same queue says, and everything else as it was. */
  public QueueRecord changed(QueueRecord next, long nowMillis) {
    boolean same = settings.equals(next.settings) && opaque.equals(next.opaque);
    return with(next.settings, next.opaque, next.tags)
        .at(same ? changedMillis : nowMillis, purgedMillis, generation);
  }

  public QueueRecord purged(long nowMillis) {
    return at(changedMillis, nowMillis, generation + 1);
  }

  /** What it takes of memory, about: itself, and texts that its owner gave. */
  public long bytes() {
    long chars = topic.length();
    for (Map<String, String> texts : List.of(opaque, tags)) {
      for (Map.Entry<String, String> each : texts.entrySet()) {
        chars += ENTRY_CHARS + each.getKey().length() + each.getValue().length();
      }
    }
    return RECORD_BYTES + chars * Character.BYTES;
  }

  /**
   * The first of the attributes named in which a queue that is to be made differs from this one.
   */
  public Optional<String> conflict(QueueRecord wanted, List<String> named) {
    var differing = new ArrayList<>(settings.differences(wanted.settings));
    var names = new TreeSet<>(opaque.keySet());
    names.addAll(wanted.opaque.keySet());
    names.stream()
        .filter(name -> !opaque.getOrDefault(name, "").equals(wanted.opaque.getOrDefault(name, "")))
        .forEach(differing::add);
    return named.stream().filter(differing::contains).findFirst();
  }
}
