/**
 * The verbs of the rewarder, one file each, and what they share.
 *
 * <pre>
 * every route with its answers ...................... RewarderRoutes
 * what all verbs work with .......................... RewarderContext
 * an epoch and whose it is .......................... EpochName
 * start a run, or find it ........................... Compute
 * list epochs, manifests, settlements, the ledger ... Epochs
 * read allocations, one actor, held ones ............ Allocations
 * allocations as JSON lines and CSV ................. AllocationForm
 * why an actor gets its amount ...................... Explanation
 * compute again and compare ......................... VerifyRun
 * past epochs under another policy .................. Simulate
 * the verbs that show ............................... ShowAccount, ShowLedger, ShowManifest,
 *                                                     ShowPolicy, PublicKeys
 * how settlement stands ............................. Settlement, HeldAmounts
 * why an amount is what it is ....................... Explain
 * answer of a run: done, running or refused ......... RunAnswer
 * </pre>
 */
@NullMarked
package dev.ron.rewarder.api;

import org.jspecify.annotations.NullMarked;
