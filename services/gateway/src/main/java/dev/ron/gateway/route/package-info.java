/**
 * Where requests go: the routing in force, the upstream pools behind it, and their health.
 *
 * <pre>
 * everything that a reload can change ......... RoutingSnapshot
 * the routing in force, and its replacement ... CurrentRouting
 * upstreams of one route, and their slots ..... UpstreamPool
 * one server: load, limit, breaker ............ Upstream
 * supervised loop that asks for health ........ UpstreamProber
 * wakes the prober once a second .............. ProbeTicker
 * the same services on other machines ......... OtherMachines
 * what upstreams are asked by ................. GatewayClients
 * </pre>
 */
@NullMarked
package dev.ron.gateway.route;

import org.jspecify.annotations.NullMarked;
