package dev.ron.bench.load;

/**
 * What a load generator saw: good answers, how long they took, and everything that was not good.
 *
 * <p>Threading: immutable.
 *
 * @param errors failed connections, broken or late answers, and statuses other than 2xx and 3xx
 */
public record LoadResult(
    long requests,
    double requestsPerSecond,
    double p50Millis,
    double p90Millis,
    double p99Millis,
    long errors) {}
