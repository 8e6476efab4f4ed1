package dev.ron.mailbox.task;

import java.util.function.BooleanSupplier;

/**
 * What all shards share, and how much one may be asked at a time.
 *
 * <p>Threading: immutable; its parts are thread-safe.
 *
 * @param index memory that orders messages
 * @param keys memory that remembers keys
 * @param keysOwn what of it each shard has for itself, so that a loud one leaves the others theirs
 * @param letterBytes messages a shard keeps in memory besides the disk
 * @param diskFull asked before each send
 * @param diskBytesMax what {@code diskFull} compares with, for the refusal
 */
public record Bounds(
    int inboxMax,
    int pollsMax,
    Ceiling inFlight,
    Ceiling index,
    Ceiling keys,
    long keysOwn,
    long letterBytes,
    BooleanSupplier diskFull,
    long diskBytesMax) {}
