/**
 * An invented archipelago, made by a program at build time, so that there is a map to look at.
 *
 * <pre>
 * the finished pack, and its maker ... SamplePack
 * </pre>
 */
@NullMarked
package dev.ron.tilepack.sample;

import org.jspecify.annotations.NullMarked;
