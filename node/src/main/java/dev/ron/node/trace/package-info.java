/**
 * Spans of the node's services, sent to a collector by OTLP over HTTP.
 *
 * <pre>
 * settings ............................... TracesConfig
 * the node's tracers and their task ...... NodeTraces
 * takes spans from the queue, in batches . SpanExport
 * a batch and what is said to it ......... SpanSender
 * asks the collector ..................... Collector
 * spans as OTLP's JSON ................... OtlpJson
 * metrics ................................ TraceMetrics
 * </pre>
 */
@NullMarked
package dev.ron.node.trace;

import org.jspecify.annotations.NullMarked;
