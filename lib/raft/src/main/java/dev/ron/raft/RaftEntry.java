package dev.ron.raft;

import java.nio.ByteBuffer;

/**
 * What a majority agreed on.
 *
 * <p>Threading: immutable; the bytes are read-only.
 *
 * @param term of the leader that proposed it; two entries of one term had one author
 * @param index its place in the log
 */
public record RaftEntry(long term, long index, ByteBuffer bytes) {}
