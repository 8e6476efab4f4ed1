package dev.ron.mailbox.shard;

/**
 * When history is replaced by state.
 *
 * <p>Threading: immutable.
 *
 * @param historyMin less history than this is not worth a snapshot
 * @param historyMax at this much one is taken whatever lives, before the journal is full
 * @param pastMin past records on disk that stay before living ones are carried
 * @param kept snapshots that refer to records
 */
public record SnapshotPolicy(long historyMin, long historyMax, long pastMin, int kept) {}
