/**
 * Header fields on their way through: {@link HopHeaders} says which pass, {@link ForwardedFields}
 * tells upstreams who asked, {@link TrustedPeers} whom to believe, {@link ClientAddress} who that
 * makes the client.
 */
@NullMarked
package dev.ron.gateway.wire;

import org.jspecify.annotations.NullMarked;
