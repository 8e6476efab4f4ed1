/**
 * {@code ron fsck}: reads everything a stopped node keeps, and says what is lost, by name.
 *
 * <pre>
 * the command ................... FsckCommand
 * all stores of a node .......... NodeCheck
 * the folders, and what is not .. CheckTarget
 * what was found ................ Anomaly
 * messages ...................... MailboxCheck
 * objects, buckets and blocks ... StorageCheck
 * objects that tenants keep ..... ReferenceCheck
 * epochs, ledger, outbox ........ RewarderCheck
 * counts, spans and seals ....... UsageCheck
 * cached answers and packs ...... EdgeCheck
 * signing keys and tokens ....... KeysCheck
 * </pre>
 */
@NullMarked
package dev.ron.node.fsck;

import org.jspecify.annotations.NullMarked;
