/**
 * Pays closed runs: sends intents to a ledger in batches until the ledger has each key once.
 *
 * <pre>
 * sends batches, records progress ... Emitter
 * a ledger that takes intents ....... LedgerSink
 * ledger in this process ............ EmbeddedSink
 * ledger over HTTP .................. HttpSink
 * topic of a mailbox as ledger ...... MailboxSink
 * intents as JSON ................... IntentForm
 * settlement progress, read-only .... SettlementStatus
 * </pre>
 */
@NullMarked
package dev.ron.rewarder.settle;

import org.jspecify.annotations.NullMarked;
