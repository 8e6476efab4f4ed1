package dev.ron.rewarder.task;

import dev.ron.rewarder.disk.LedgerBook;
import dev.ron.rewarder.disk.Outbox;
import java.util.Map;
import java.util.Optional;

/**
 * How paying stands, for whoever asks.
 *
 * <p>Threading: thread-safe, as its parts are.
 *
 * @param stalled runs that wait for the ledger or were refused by it, with the reason
 * @param ledger the embedded one, if it is the one in use
 */
public record Settling(Outbox outbox, Map<String, String> stalled, Optional<LedgerBook> ledger) {}
