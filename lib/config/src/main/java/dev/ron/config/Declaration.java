package dev.ron.config;

import org.jspecify.annotations.Nullable;

/**
 * What is known about a key before a source sets it.
 *
 * <p>Threading: immutable.
 *
 * @param path dotted, with {@code []} where an array of tables is, {@code gateway.routes[].prefix}
 * @param fallback the default as a plain value, or an example if the key is required
 * @param live whether a reload changes it; otherwise it waits for a restart
 * @param weaker which values are weaker than the default, or null if the key guards nothing
 */
public record Declaration(
    String path,
    String type,
    Object fallback,
    String doc,
    boolean required,
    boolean live,
    @Nullable WeakerValues weaker) {}
