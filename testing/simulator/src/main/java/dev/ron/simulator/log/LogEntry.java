package dev.ron.simulator.log;

import org.jspecify.annotations.Nullable;

/**
 * An entry of a machine's log.
 *
 * @param bytes null for the first entry of a leader, which concerns the group alone
 */
@SuppressWarnings("ArrayRecordComponent") // never changed, never compared
record LogEntry(long term, byte @Nullable [] bytes) {}
