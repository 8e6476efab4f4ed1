package dev.ron.content;

/**
 * How full a store is.
 *
 * <p>Threading: immutable.
 *
 * @param objects how many can be read
 * @param objectBytes their sizes together
 * @param usedBytes what the store occupies, with everything not yet reclaimed
 * @param freeBytes what may still be written
 */
public record Space(long objects, long objectBytes, long usedBytes, long freeBytes) {}
