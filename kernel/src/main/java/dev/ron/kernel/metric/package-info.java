/**
 * Metrics of one service and their text form.
 *
 * <pre>
 * one service's metrics ............ Metrics
 * metrics every service shares ..... KernelMetrics
 * label with a bounded value set ... CappedLabel
 * several services in one text ..... Exposition
 * which series a tenant may see .... TenantSeries
 * units of work by tenant .......... Meter
 * bytes that are kept, by time ...... ByteSeconds
 * who pays for a request ........... Payer
 * </pre>
 */
@NullMarked
package dev.ron.kernel.metric;

import org.jspecify.annotations.NullMarked;
