/**
 * The gateway: the hardened, fair front door.
 *
 * <pre>
 * the wiring ............. GatewayService     settings ......... GatewayConfig, GatewayRoute
 * what can go wrong ...... GatewayFault       what is counted .. GatewayMetrics
 * the decisions .......... core/  DeficitRoundRobin, RouteTable, Balancer ...
 * places and tenants ..... task/  Admission, Slots, Ticket, Tenants, Pool, Upstream
 * loops .................. task/  SchedulerLoop, WorkerLoop, Prober, Ticker
 * one request ............ api/   Proxy, Entry, Forward, Tunnel
 * header fields .......... wire/
 * </pre>
 */
@NullMarked
package dev.ron.gateway;

import org.jspecify.annotations.NullMarked;
