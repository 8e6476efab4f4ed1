package dev.ron.mailbox.shard;

import dev.ron.mailbox.quota.QueuedBytes;
import java.util.function.BooleanSupplier;

/**
 * What all shards share, and how much one may be asked at a time.
 *
 * <p>Threading: immutable; its parts are thread-safe.
 *
 * @param indexBytes memory that orders messages
 * @param idemBytes memory that remembers keys
 * @param idemBytesOwn what of it each shard has for itself, so that a loud one leaves the others
 *     theirs
 * @param memoryBytes messages a shard keeps in memory besides the disk
 * @param diskFull asked before each send
 * @param diskBytesMax what {@code diskFull} compares with, for the refusal
 * @param queued what tenants have in all shards
 */
public record MailboxLimits(
    int inboxMax,
    int pollsMax,
    SharedLimit globalInflight,
    SharedLimit indexBytes,
    SharedLimit idemBytes,
    long idemBytesOwn,
    long memoryBytes,
    BooleanSupplier diskFull,
    long diskBytesMax,
    QueuedBytes queued) {}
