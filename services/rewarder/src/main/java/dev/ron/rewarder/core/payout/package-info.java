/**
 * What is paid and how far: payment intents, double-entry accounts and the settlement cursor. Pure,
 * as all of core.
 *
 * <pre>
 * one payment with its idempotency key ... Intent
 * ledger rules: decide and apply ......... DoubleEntry
 * credits and debits of one account ...... Account
 * how far each run is settled ............ Settlements
 * </pre>
 */
@NullMarked
package dev.ron.rewarder.core.payout;

import org.jspecify.annotations.NullMarked;
