/**
 * The gateway: the hardened, fair front door. The root holds the wiring, the settings and the
 * faults.
 *
 * <pre>
 * wiring and supervision tree .......... GatewayService
 * settings, checked .................... GatewayConfig
 * one route of the settings ............ GatewayRoute
 * faults, in order of precedence ....... GatewayFault
 * every metric name .................... GatewayMetrics
 * </pre>
 */
@NullMarked
package dev.ron.gateway;

import org.jspecify.annotations.NullMarked;
