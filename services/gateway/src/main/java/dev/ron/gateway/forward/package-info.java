/**
 * One admitted request on its way to an upstream and back.
 *
 * <pre>
 * one request, from admission to its end .............. ProxiedRequest
 * one try at one upstream ............................. UpstreamAttempt
 * one direction of an upgraded connection ............. WebSocketTunnel
 * Forwarded and X-Forwarded fields toward upstreams ... ForwardedFields
 * proxies whose Forwarded fields are believed ......... TrustedPeers
 * fields that pass the gateway ........................ HopHeaders
 * </pre>
 */
@NullMarked
package dev.ron.gateway.forward;

import org.jspecify.annotations.NullMarked;
