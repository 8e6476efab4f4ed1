/**
 * From a head to its handler: the checks and limits every request passes, in their order.
 *
 * <pre>
 * from a head to the handler .................. Dispatch
 * one check between route and handler ......... Layer
 * checks that operational routes pass too ..... AccessCheck
 * host names the server answers to ............ HostRule
 * rate of operational routes, per peer ........ OperationalLimit
 * 429 on connections beyond the cap ........... ConnectionLimit
 * 413 for announced bodies over the cap ....... BodyCap
 * decoder in front of a coded body ............ DecodeLayer
 * rate of the server .......................... RateLimit
 * requests at a time .......................... InflightLimit
 * requests under way, for the drain ........... Inflight
 * deadline from settings and request fields ... RequestDeadline
 * asks the service's guard .................... GuardLayer
 * </pre>
 */
@NullMarked
package dev.ron.http.server.dispatch;

import org.jspecify.annotations.NullMarked;
