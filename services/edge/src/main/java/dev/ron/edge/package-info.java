/**
 * The edge: bytes of packs and of upstreams, offline or from a cache that fills itself. The root
 * holds the wiring, the settings and what every package of the service shares.
 *
 * <pre>
 * wiring and supervision tree .................. EdgeService
 * settings, checked ............................ EdgeConfig
 * what is taken from clients ................... Ingress
 * an upstream that may be asked ................ Mount
 * faults, in order of precedence ............... EdgeFault
 * every metric name ............................ EdgeMetrics
 * events for subscribers ....................... EdgeEvent
 * events in the log, chained by hash ........... AuditLog
 * closes storage and clients after the drain ... ResourceCloser
 * </pre>
 */
@NullMarked
package dev.ron.edge;

import org.jspecify.annotations.NullMarked;
