/**
 * The journals of payment: the embedded ledger, and the outbox that remembers how far each run is
 * paid.
 *
 * <pre>
 * embedded ledger over a journal ... EmbeddedLedger
 * a posting as a journal record .... PostingForm
 * settlement cursor in a journal ... Outbox
 * </pre>
 */
@NullMarked
package dev.ron.rewarder.ledger;

import org.jspecify.annotations.NullMarked;
