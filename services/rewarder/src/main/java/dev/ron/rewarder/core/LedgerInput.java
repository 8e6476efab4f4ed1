package dev.ron.rewarder.core;

/**
 * What there is to share out, as the ledger sealed it.
 *
 * <p>Threading: immutable.
 *
 * @param epoch the epoch it is for
 */
public record LedgerInput(Wide pool, String asset, String epoch) {}
