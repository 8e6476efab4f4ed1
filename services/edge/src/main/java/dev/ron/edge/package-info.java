/**
 * The edge: bytes of packs and of upstreams, offline or from a cache that fills itself. The root
 * holds the wiring, the settings and what every package of the service shares.
 *
 * <pre>
 * wiring and supervision tree .................. EdgeService
 * settings, checked ............................ EdgeConfig
 * an upstream that may be asked ................ Mount
 * faults, in order of precedence ............... EdgeFault
 * every metric name ............................ EdgeMetrics
 * events for subscribers ....................... EdgeEvent
 * closes storage and clients after the drain ... ResourceCloser
 * </pre>
 */
@NullMarked
package dev.ron.edge;

import org.jspecify.annotations.NullMarked;
