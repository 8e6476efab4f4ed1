/**
 * One request, from its head to the end of its answer.
 *
 * <pre>
 * the handler ............... Proxy        what it must show ... Entry
 * its whole way ............. Forward      one upstream ........ Try
 * after an upgrade .......... Tunnel       faults to statuses .. Problems
 * the listener .............. GatewayDoor
 * </pre>
 */
@NullMarked
package dev.ron.gateway.api;

import org.jspecify.annotations.NullMarked;
