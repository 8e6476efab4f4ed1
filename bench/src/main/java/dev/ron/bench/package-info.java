/**
 * Side-by-side measurements: ours and a peer on the same machine, in the same minutes, taking
 * turns. The root is the command and the list.
 *
 * <pre>
 * ron bench .................. BenchMain
 * every benchmark there is ... Benchmarks
 * </pre>
 */
@NullMarked
package dev.ron.bench;

import org.jspecify.annotations.NullMarked;
