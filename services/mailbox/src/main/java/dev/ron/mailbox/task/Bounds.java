package dev.ron.mailbox.task;

import java.util.function.BooleanSupplier;

/**
 * What all shards share, and how much one may be asked at a time.
 *
 * <p>Threading: immutable; its parts are thread-safe.
 *
 * @param diskFull asked before each send
 * @param diskBytesMax what {@code diskFull} compares with, for the refusal
 */
public record Bounds(
    int inboxMax,
    int pollsMax,
    Ceiling inFlight,
    Ceiling bytes,
    BooleanSupplier diskFull,
    long diskBytesMax) {}
