/**
 * Runs of epochs, from the request to the kept artifact: the tasks and what passes between them.
 *
 * <pre>
 * decides about each request ................. RunScheduler
 * leads runs and counts pieces ............... RunWorker
 * keeps finished runs, signed and once ....... ArtifactWriter
 * one run, inputs to manifest ................ EpochComputation
 * a computed run in its draft ................ ComputedRun
 * request for a run, awaiting the decision ... RunRequest
 * what a worker is asked to do ............... WorkerJob
 * a run on its way, to wait for .............. PendingRun
 * registry of all runs ....................... Runs
 * two closed runs of one epoch ............... RivalRuns
 * which run an epoch belongs to, agreed on ... EpochLog
 * a run as it is agreed on ................... AgreedRun
 * computes here what was agreed on ........... AgreedEpochs
 * told each step; tests stop there ........... RunSteps
 * writes service events to the log ........... AuditReporter
 * what became of a run ....................... RunResult
 * </pre>
 */
@NullMarked
package dev.ron.rewarder.epoch;

import org.jspecify.annotations.NullMarked;
