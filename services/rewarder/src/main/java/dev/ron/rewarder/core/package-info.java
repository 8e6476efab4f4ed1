/**
 * The calculus and the nouns of a run: pure values and functions, without thread, clock or I/O.
 *
 * <pre>
 * shares a pool out by score ................ Calculus
 * last pass, gives each actor its amount .... AllocationPass
 * takes the amounts in actor order .......... AllocationSink
 * one line of a run ......................... Allocation
 * who gets the units left over .............. RemainderThreshold
 * what happens to left-over units ........... Rounding
 * unpaid part of the pool, by reason ........ Residual
 * sums of a run ............................. Totals
 * how a pool is shared out .................. Policy
 * the pool to share out, as sealed .......... LedgerInput
 * actors in order, with their scores ........ ScoreCursor
 * addresses a run is computed from .......... Inputs
 * name of a run: hash of its inputs ......... RunKey
 * what a run came to ........................ RunStatus
 * which runs exist; one per epoch ........... RunBook
 * why a run is never settled ................ Quarantine
 * a run in one page of JSON ................. Manifest
 * one hash over a whole run ................. Commitment
 * tree over allocations, and a path in it ... MerkleTree, MerkleProof
 * gains and losses under another policy ..... Simulation
 * 127-bit whole number, its division ........ Wide, WideDivision
 * </pre>
 */
@NullMarked
package dev.ron.rewarder.core;

import org.jspecify.annotations.NullMarked;
