package dev.ron.storage.s3.api;

import dev.ron.kernel.time.Time;
import dev.ron.storage.s3.StorageS3Config;
import dev.ron.storage.s3.StorageS3Metrics;
import dev.ron.storage.s3.block.BlockStore;
import dev.ron.storage.s3.block.BodyWriter;
import dev.ron.storage.s3.block.ObjectBodyReader;
import dev.ron.storage.s3.encryption.ObjectKeys;
import dev.ron.storage.s3.names.Names;
import dev.ron.storage.s3.object.StoredQuota;
import java.util.random.RandomGenerator;

/**
 * What every operation works with.
 *
 * <p>Threading: immutable; its parts are thread-safe.
 *
 * @param keys what the bytes of objects are encrypted with
 * @param secrets for version and upload ids, which must not be guessed
 */
public record S3Context(
    StorageS3Config config,
    Names names,
    BlockStore blocks,
    BodyWriter writer,
    ObjectBodyReader reader,
    ObjectKeys keys,
    StorageS3Metrics metrics,
    StoredQuota quota,
    Time time,
    RandomGenerator secrets) {
  public long nowMillis() {
    return time.wall().toEpochMilli();
  }
}
