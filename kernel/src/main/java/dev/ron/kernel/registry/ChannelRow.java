package dev.ron.kernel.registry;

/**
 * A channel as the registry shows it.
 *
 * @param kind {@code channel}, {@code watch}, {@code broadcast}, or {@code pool} for things that
 *     are lent, whose depth is how many are out
 * @param overflow what happens at the limit, in the words of the documentation
 */
public record ChannelRow(
    String name,
    String kind,
    int capacity,
    String overflow,
    int depth,
    long dropped,
    long rejected) {}
