package dev.ron.ordered;

/**
 * How large a store is and how far its background work is behind.
 *
 * @param rows an estimate
 * @param diskBytes of the files that hold rows now
 * @param memtableBytes rows that wait in memory to be written in order
 * @param cacheBytes blocks of files in memory
 * @param pendingCompactionBytes what must still be merged; grows while rows come faster than two
 *     cores can merge
 * @param stalled whether batches are slowed down or stopped until merging has caught up
 * @param cursors open now
 */
public record OrderedUsage(
    long rows,
    long diskBytes,
    long memtableBytes,
    long cacheBytes,
    long pendingCompactionBytes,
    boolean stalled,
    int cursors) {}
