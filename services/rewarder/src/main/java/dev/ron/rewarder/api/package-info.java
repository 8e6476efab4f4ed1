/**
 * The verbs, one file each: parse, handle, write.
 *
 * <pre>
 * all routes .............. RewarderRoutes
 * starting a run .......... Compute
 * looking at it ........... Epochs, ShowManifest, Allocations, HeldAmounts, Explain, Explanation
 * how far it is paid ...... Settlement, ShowLedger, ShowAccount
 * what it was made with ... ShowPolicy, PublicKeys
 * computing it again ...... Verify
 * under another policy .... Simulate
 * shared .................. Desk, RunAnswer
 * </pre>
 */
@NullMarked
package dev.ron.rewarder.api;

import org.jspecify.annotations.NullMarked;
