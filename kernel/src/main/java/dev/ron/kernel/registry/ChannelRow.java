package dev.ron.kernel.registry;

/**
 * A channel as the registry shows it.
 *
 * @param kind {@code channel}, {@code watch} or {@code broadcast}
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
