/**
 * CPU work: hashing, parity and aggregation.
 *
 * <pre>
 * hashing beside b3sum .......... Blake3Benchmark
 * parity beside ISA-L ........... ErasureBenchmark
 * ISA-L in this process ......... IsalEncoder
 * parity by a plain loop ........ PlainParity
 * aggregation beside DuckDB ..... RewarderBenchmark
 * its process, from both ends ... AggregateMain, AggregateChild
 * </pre>
 */
@NullMarked
package dev.ron.bench.compute;

import org.jspecify.annotations.NullMarked;
