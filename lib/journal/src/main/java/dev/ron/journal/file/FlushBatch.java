package dev.ron.journal.file;

import java.nio.ByteBuffer;

/**
 * The frames that one flush makes durable.
 *
 * <p>Threading: owned by the flush task, from {@code take} to {@code giveBack}.
 *
 * @param bytes ready to be written
 * @param first the position of the first record
 * @param next the position after the last
 */
record FlushBatch(ByteBuffer bytes, long first, long next) {}
