package dev.ron.content.store;

import dev.ron.blake3.HashTree;
import dev.ron.blake3.bao.Outboard;
import java.nio.file.Path;
import java.time.Duration;

/**
 * How a {@link SegmentStore} is set up.
 *
 * <p>Threading: immutable.
 *
 * @param folder where the segments live; one store owns it
 * @param segmentBytes a segment this long takes no further record; an object never spans two
 * @param objectBytesMax longer objects are refused; hashing one takes 32 bytes of heap per 64 KiB
 * @param lanesMax how many objects of more than one group are written at a time
 * @param filesMax how many segments are open at a time; readers beyond that are refused. One that
 *     ranges leave from by file region has a second descriptor
 * @param waitingMax puts of small objects and deletes that wait for the flush, 64 KiB each at most
 * @param verify how often bytes are hashed before they leave
 * @param deleteGrace how long the bytes of a deleted object stay
 * @param keepEvery how often compaction and the snapshot look whether there is something to do
 * @param snapshotBytes so much written since the last snapshot calls for a new one; it is also what
 *     a start after a crash has to hash
 * @param commitLimit how long a put or a delete waits for the flush; longer takes a disk that hangs
 */
public record SegmentConfig(
    Path folder,
    long segmentBytes,
    long objectBytesMax,
    int lanesMax,
    int filesMax,
    int waitingMax,
    VerifyMode verify,
    Duration deleteGrace,
    Duration keepEvery,
    long snapshotBytes,
    Duration commitLimit) {
  public SegmentConfig {
    atLeast("segment_bytes", segmentBytes, HashTree.GROUP_BYTES);
    atLeast("object_bytes_max", objectBytesMax, 1);
    if (objectBytesMax > Outboard.LENGTH_BYTES_MAX) {
      throw new IllegalArgumentException(
          "object_bytes_max = " + objectBytesMax + ", the most is " + Outboard.LENGTH_BYTES_MAX);
    }
    atLeast("lanes_max", lanesMax, 1);
    // Every lane holds a file, the group commit and compaction hold one each, and readers need one.
    atLeast("files_max", filesMax, lanesMax + 4L);
    atLeast("waiting_max", waitingMax, 1);
    atLeast("snapshot_bytes", snapshotBytes, 1);
    if (deleteGrace.isNegative()) {
      throw new IllegalArgumentException("delete_grace = " + deleteGrace + " is negative");
    }
    if (!keepEvery.isPositive()) {
      throw new IllegalArgumentException("keep_every = " + keepEvery + " is not positive");
    }
    if (!commitLimit.isPositive()) {
      throw new IllegalArgumentException("commit_limit = " + commitLimit + " is not positive");
    }
  }

  private static void atLeast(String key, long value, long least) {
    if (value < least) {
      throw new IllegalArgumentException(key + " = " + value + ", the least is " + least);
    }
  }

  /** The defaults, each for a reason. */
  public static SegmentConfig in(Path folder) {
    return new SegmentConfig(
        folder,
        256L << 20, // a compaction copies half of it, in seconds
        16L << 30, // 8 MiB of chaining values while it is written
        16, // streams that are written at a time; the flush is shared anyway
        256, // a quarter of the usual limit of a process
        256, // 16 MiB of waiting records
        VerifyMode.ALWAYS,
        Duration.ofHours(24),
        Duration.ofSeconds(1),
        128L << 20, // hashed in a tenth of a second by the vector kernels, half a second without
        Duration.ofSeconds(30)); // a flush of a disk that works takes seconds at most
  }

  public SegmentConfig withVerify(VerifyMode other) {
    return new SegmentConfig(
        folder,
        segmentBytes,
        objectBytesMax,
        lanesMax,
        filesMax,
        waitingMax,
        other,
        deleteGrace,
        keepEvery,
        snapshotBytes,
        commitLimit);
  }

  public SegmentConfig withDeleteGrace(Duration other) {
    return new SegmentConfig(
        folder,
        segmentBytes,
        objectBytesMax,
        lanesMax,
        filesMax,
        waitingMax,
        verify,
        other,
        keepEvery,
        snapshotBytes,
        commitLimit);
  }

  public SegmentConfig withKeepEvery(Duration other) {
    return new SegmentConfig(
        folder,
        segmentBytes,
        objectBytesMax,
        lanesMax,
        filesMax,
        waitingMax,
        verify,
        deleteGrace,
        other,
        snapshotBytes,
        commitLimit);
  }

  /** Small segments and frequent snapshots, for tests that want to see many of both. */
  public SegmentConfig withSizes(long segments, long objectMax, long snapshots) {
    return new SegmentConfig(
        folder,
        segments,
        objectMax,
        lanesMax,
        filesMax,
        waitingMax,
        verify,
        deleteGrace,
        keepEvery,
        snapshots,
        commitLimit);
  }

  public SegmentConfig withCommitLimit(Duration other) {
    return new SegmentConfig(
        folder,
        segmentBytes,
        objectBytesMax,
        lanesMax,
        filesMax,
        waitingMax,
        verify,
        deleteGrace,
        keepEvery,
        snapshotBytes,
        other);
  }
}
