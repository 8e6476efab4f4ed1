/**
 * HTTP servers, proxies, caches and tile servers: ours beside nginx, HAProxy, Varnish and others.
 *
 * <pre>
 * server beside nginx ...................... HttpBenchmark
 * our server, its process .................. HttpTargetMain
 * proxies beside each other ................ GatewayBenchmark
 * our gateway, its process ................. GatewayTargetMain
 * fairness between tenants ................. FairnessBenchmark
 * backend with few places .................. BoundedBackendMain
 * clients of loud tenants .................. LoudClients
 * warm cache hits .......................... EdgeBenchmark
 * our edge, its process .................... EdgeTargetMain
 * public cache conformance suite ........... CacheTestsBenchmark
 * tiles beside tileserver-gl ............... TileBenchmark
 * our edge with packs, its process ......... TileTargetMain
 * with and without metering ................ UsageBenchmark
 * our server with or without it ............ UsageTargetMain
 * one of our servers, running .............. ServerTarget
 * nginx, running ........................... NginxPeer
 * HAProxy, Spring Cloud Gateway, Varnish ... ProxyPeer
 * </pre>
 */
@NullMarked
package dev.ron.bench.http;

import org.jspecify.annotations.NullMarked;
