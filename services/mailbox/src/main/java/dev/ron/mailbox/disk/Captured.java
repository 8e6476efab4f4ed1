package dev.ron.mailbox.disk;

import dev.ron.mailbox.core.ShardImage;

/**
 * One shard at one moment.
 *
 * <p>Threading: immutable.
 *
 * @param position every fact of this shard before this position is in it, and none after
 */
public record Captured(int shard, long position, ShardImage image) {}
