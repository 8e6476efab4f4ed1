package dev.ron.journal;

import dev.ron.journal.file.Frame;
import dev.ron.journal.file.SegmentHeader;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Where a journal lives and its limits.
 *
 * @param name in readiness, the registry and thread names
 * @param folder the journal's own; nothing else belongs there
 * @param segmentBytes a new file is begun rather than growing past this
 * @param bufferBytes what may wait for a flush while another is under way; twice this is held
 * @param recordBytesMax the largest payload
 * @param growBytes zeros written ahead of small batches, so that most flushes change no file
 *     length; 0 for none
 * @param flushInterval zero flushes as soon as anything waits; more flushes at most that often, and
 *     then a service that answers before {@code flushed} says so can lose what it answered
 * @param snapshotsKept older ones are for the day the newest cannot be read
 * @param verifyAtOpen reads every segment at open instead of the last one; replay checks what it
 *     reads either way
 */
public record JournalSettings(
    String name,
    Path folder,
    int segmentBytes,
    int bufferBytes,
    int recordBytesMax,
    int growBytes,
    Duration flushInterval,
    int snapshotsKept,
    boolean verifyAtOpen) {
  public JournalSettings {
    check(!name.isBlank(), "name", name);
    check(bufferBytes >= 64 && bufferBytes <= 256 << 20, "buffer_bytes", bufferBytes);
    check(
        recordBytesMax >= 1 && recordBytesMax <= Frame.PAYLOAD_BYTES_MAX,
        "record_bytes_max",
        recordBytesMax);
    check(Frame.bytes(recordBytesMax) <= bufferBytes, "record_bytes_max", recordBytesMax);
    check(
        segmentBytes >= SegmentHeader.BYTES + bufferBytes && segmentBytes <= 1 << 30,
        "segment_bytes",
        segmentBytes);
    check(growBytes >= 0 && growBytes <= 1 << 30, "grow_bytes", growBytes);
    check(!flushInterval.isNegative(), "flush_interval", flushInterval);
    check(snapshotsKept >= 1 && snapshotsKept <= 100, "snapshots_kept", snapshotsKept);
  }

  /** 64 MiB segments, 4 MiB to wait for a flush, records up to 2 MiB, two snapshots. */
  public static JournalSettings in(Path folder) {
    return new JournalSettings(
        "journal", folder, 64 << 20, 4 << 20, 2 << 20, 1 << 20, Duration.ZERO, 2, false);
  }

  public JournalSettings named(String other) {
    return new JournalSettings(
        other,
        folder,
        segmentBytes,
        bufferBytes,
        recordBytesMax,
        growBytes,
        flushInterval,
        snapshotsKept,
        verifyAtOpen);
  }

  public JournalSettings sized(int segment, int buffer, int record, int grow) {
    return new JournalSettings(
        name, folder, segment, buffer, record, grow, flushInterval, snapshotsKept, verifyAtOpen);
  }

  public JournalSettings flushedEvery(Duration interval) {
    return new JournalSettings(
        name,
        folder,
        segmentBytes,
        bufferBytes,
        recordBytesMax,
        growBytes,
        interval,
        snapshotsKept,
        verifyAtOpen);
  }

  public JournalSettings verifiedAtOpen(boolean all) {
    return new JournalSettings(
        name,
        folder,
        segmentBytes,
        bufferBytes,
        recordBytesMax,
        growBytes,
        flushInterval,
        snapshotsKept,
        all);
  }

  private static void check(boolean right, String key, Object value) {
    if (!right) {
      throw new IllegalArgumentException("journal." + key + " = " + value + " is out of range");
    }
  }
}
