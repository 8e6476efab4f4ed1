/**
 * The calculus and its nouns; no thread, clock, file or fraction.
 *
 * <pre>
 * whole numbers ............ Wide, WideDivision
 * what goes in ............. Inputs, Policy, LedgerInput; lines: Tally, DictionarySums, MetricTable, BadLine, LineFault
 * scores by actor .......... ScoreParts, ScoreTable, Octets, SortedScores, ScoreCursor
 * sharing out .............. Calculus, AllocationPass, Rounding, RemainderThreshold
 * where each unit went ..... Totals, Residual; Allocation, AllocationSink
 * what comes out ........... Manifest, RunStatus, Quarantine, CanonicalJson, RunKey, Commitment
 * proving a line ........... MerkleTree, MerkleProof
 * which runs there are ..... RunBook
 * paying ................... Intent, Settlements, DoubleEntry, Account
 * what if .................. Simulation
 * </pre>
 */
@NullMarked
package dev.ron.rewarder.core;

import org.jspecify.annotations.NullMarked;
