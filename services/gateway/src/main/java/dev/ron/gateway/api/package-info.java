/**
 * The one verb of the gateway and the door it is reached by.
 *
 * <pre>
 * the handler of every proxied request ... Proxy
 * the listener and its HTTP client ....... GatewayDoor
 * </pre>
 */
@NullMarked
package dev.ron.gateway.api;

import org.jspecify.annotations.NullMarked;
