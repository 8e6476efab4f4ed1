/**
 * How a benchmark runs and what it reports.
 *
 * <pre>
 * a question answered by measuring ... Benchmark
 * one run: tools, results ............ BenchRun
 * the command line ................... BenchOptions
 * two sides taking turns ............. Interleave
 * one of the two sides ............... Side
 * what both measured ................. Rounds
 * work repeated for CPU time ......... RepeatedWork
 * one line of result ................. Comparison
 * median, quartiles, extremes ........ Spread
 * test suite of others ............... PublicSuite
 * one JSON object per line ........... JsonLine
 * progress on the terminal ........... Progress
 * </pre>
 */
@NullMarked
package dev.ron.bench.run;

import org.jspecify.annotations.NullMarked;
