/**
 * Charts as SVG.
 *
 * <pre>
 * a chart .................. Plot
 * SVG elements ............. Svg
 * round marks of an axis ... Ticks
 * </pre>
 */
@NullMarked
package dev.ron.bench.plot;

import org.jspecify.annotations.NullMarked;
