/**
 * The edge: bytes of packs and of upstreams, offline or live.
 *
 * <pre>
 * the wiring ............. EdgeService        settings ......... EdgeConfig
 * what can go wrong ...... EdgeFault          what is counted .. EdgeMetrics
 * who may be asked ....... Mount
 * the rules of a cache ... core/  Reuse decides; freshness, Vary, validation, invalidation
 * fills and their loops .. task/  FillWorker, Fills, LiveCache
 * what survives .......... disk/  HeadJournal, Spool
 * bytes of a head ........ wire/  HeadCodec
 * the verbs .............. api/   EdgeRoutes, Asset
 * </pre>
 */
@NullMarked
package dev.ron.edge;

import org.jspecify.annotations.NullMarked;
