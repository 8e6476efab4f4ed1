/**
 * One distribution beside another.
 *
 * <pre>
 * two nodes in turns, service by service ... ReleasesBenchmark
 * </pre>
 */
@NullMarked
package dev.ron.bench.release;

import org.jspecify.annotations.NullMarked;
