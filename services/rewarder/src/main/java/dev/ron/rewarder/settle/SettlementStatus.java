package dev.ron.rewarder.settle;

import dev.ron.rewarder.ledger.EmbeddedLedger;
import dev.ron.rewarder.ledger.Outbox;
import java.util.Map;
import java.util.Optional;

/**
 * The state of the payments, for status requests.
 *
 * <p>Threading: thread-safe, as its parts are.
 *
 * @param stalled runs that wait for the ledger or were refused by it, with the reason
 * @param ledger the embedded one, if it is the one in use
 */
public record SettlementStatus(
    Outbox outbox, Map<String, String> stalled, Optional<EmbeddedLedger> ledger) {}
