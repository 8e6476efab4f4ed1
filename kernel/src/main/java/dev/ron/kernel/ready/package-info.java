/**
 * Readiness of a service.
 *
 * <pre>
 * named conditions for traffic ... Readiness
 * </pre>
 */
@NullMarked
package dev.ron.kernel.ready;

import org.jspecify.annotations.NullMarked;
