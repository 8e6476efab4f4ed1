/**
 * The rewarder: the same inputs give the same bytes, to the last unit.
 *
 * <pre>
 * the wiring ............. RewarderService    settings ......... RewarderConfig
 * what can go wrong ...... RewarderFault      what is counted .. RewarderMetrics
 * the calculus ........... core/  Calculus over scores; Manifest, proofs, the ledger's rules
 * loops .................. task/  Scheduler, Worker, ArtifactWriter, Emitter
 * files and journals ..... disk/  sealed inputs, spilled scores, artifacts, outbox, ledger
 * bytes and JSON ......... wire/  scanners of accounting, policies, Parquet
 * the verbs .............. api/
 * </pre>
 */
@NullMarked
package dev.ron.rewarder;

import org.jspecify.annotations.NullMarked;
