/**
 * What is counted: {@link Metrics} makes and prints them, {@link KernelMetrics} has every name that
 * all services share, {@link CappedLabel} keeps label values few, {@link Exposition} joins those of
 * several services.
 */
@NullMarked
package dev.ron.kernel.metric;

import org.jspecify.annotations.NullMarked;
