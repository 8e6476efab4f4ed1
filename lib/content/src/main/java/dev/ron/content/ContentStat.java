package dev.ron.content;

import dev.ron.blake3.Address;

/**
 * What is known of an object without reading it.
 *
 * <p>Threading: immutable.
 */
public record ContentStat(Address address, long sizeBytes) {}
