/**
 * Structured events without secrets.
 *
 * <pre>
 * writes events ............... Log
 * one event with its fields ... LogLine
 * </pre>
 */
@NullMarked
package dev.ron.kernel.log;

import org.jspecify.annotations.NullMarked;
