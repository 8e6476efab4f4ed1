/**
 * The live cache: stored responses by key, bounded, and kept over a restart unless amnesia is on.
 *
 * <pre>
 * stored responses, bounded by bytes and number ... LiveCache
 * what of it each tenant has filled ............... CacheShares
 * store and journal below the cache, or memory .... CacheStorage
 * folders of the cache ............................ CacheFolder
 * journal of stored heads ......................... HeadJournal
 * heads as bytes .................................. HeadCodec
 * supervised loop that snapshots the heads ........ HeadSnapshot
 * how many responses need an object ............... ObjectReferences
 * supervised loop that deletes unneeded objects ... Evictor
 * </pre>
 */
@NullMarked
package dev.ron.edge.cache;

import org.jspecify.annotations.NullMarked;
