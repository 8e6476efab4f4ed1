package dev.ron.client.bucket;

import java.time.Instant;

/**
 * An object as a listing has it.
 *
 * <p>Threading: immutable.
 *
 * @param etag without its quotes
 */
public record ListedObject(String key, long size, String etag, Instant modified) {}
