/**
 * The verbs, one file each.
 *
 * <pre>
 * all routes .............. RewarderRoutes; who may: RewarderGuard
 * starting a run .......... Compute
 * looking at it ........... Epochs, Allocations, Explanation
 * computing it again ...... Verify
 * under another policy .... Simulate
 * shared .................. Desk; faults to statuses: Problems
 * </pre>
 */
@NullMarked
package dev.ron.rewarder.api;

import org.jspecify.annotations.NullMarked;
