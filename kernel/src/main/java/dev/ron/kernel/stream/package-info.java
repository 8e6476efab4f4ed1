/**
 * Input streams that are read in blocks.
 *
 * <pre>
 * stream of blocks ... BlockStream
 * </pre>
 */
@NullMarked
package dev.ron.kernel.stream;

import org.jspecify.annotations.NullMarked;
