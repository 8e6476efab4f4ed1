/**
 * The loops, and the way in for requests.
 *
 * <pre>
 * channels and tree ........ Rewarder
 * one run for an epoch ..... Scheduler; asked by Wish, followed by Ticket, ended by
 *                            RunResult, remembered in Runs
 * two runs for an epoch .... RivalRuns
 * computing it ............. Worker, Work, Computation, Computed; PolicyTrust
 * reading the accounting ... AccountingReader, ParquetReading, Reading, Piece; alone: Aggregation
 * keeping it ............... ArtifactWriter
 * paying it ................ Emitter, Settling; Sink: EmbeddedSink, HttpSink, MailboxSink
 * asking others ............ Outlet
 * audit .................... Health
 * for tests that kill ...... Steps
 * </pre>
 */
@NullMarked
package dev.ron.rewarder.task;

import org.jspecify.annotations.NullMarked;
