/**
 * Spans of traces: what a request waited for, told to a collector.
 *
 * <pre>
 * one timed piece of a trace .............. Span
 * begins the spans of one service ......... Tracer
 * ids that go from process to process ..... TraceContext
 * what spans of one request share ......... LocalTrace
 * a wait for another task, in two parts ... WaitSpans
 * </pre>
 */
@NullMarked
package dev.ron.kernel.trace;

import org.jspecify.annotations.NullMarked;
