/**
 * What is counted: {@link Metrics} makes and prints them, {@link KernelMetrics} has every name that
 * all services share, {@link CappedLabel} keeps label values few.
 */
@NullMarked
package dev.ron.kernel.metric;

import org.jspecify.annotations.NullMarked;
