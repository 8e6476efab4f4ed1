/**
 * The decisions of the gateway, without thread, clock or socket.
 *
 * <pre>
 * whose request is next ..... DeficitRoundRobin, Quanta, Cost
 * how a rate is shared ...... FairRate, Debtors
 * where it goes ............. RouteTable, Balancer
 * whether it goes ........... Shedding, UpstreamLimit, FailureEvidence, RequestKind, FewPlaces
 * whether it goes again ..... RetryRule
 * </pre>
 */
@NullMarked
package dev.ron.gateway.core;

import org.jspecify.annotations.NullMarked;
