/**
 * The decisions of the gateway, without thread, clock or socket.
 *
 * <pre>
 * fair order between tenants ........................... DeficitRoundRobin
 * share of each tenant per round ....................... Quanta
 * what a request is charged ............................ RequestCost
 * route by host, prefix and method ..................... GatewayRouteTable
 * the less loaded of two upstreams ..................... Balancer
 * whether writes are shed .............................. SheddingState
 * requests an upstream gets at a time .................. UpstreamLimit
 * what recent failures say about an upstream ........... FailureEvidence
 * requests that fail for the same reason ............... RequestKind
 * whether and when to send again ....................... RetryRule
 * instance rate shared between tenants and addresses ... FairRate
 * what each asker owes of a shared rate ................ Debtors
 * how many of few places a tenant may hold ............. FewPlaces
 * </pre>
 */
@NullMarked
package dev.ron.gateway.core;

import org.jspecify.annotations.NullMarked;
