/**
 * Erasure-coded objects: cutting an object into shards, reading it from them, and rebuilding a
 * shard.
 *
 * <pre>
 * write that encodes and distributes shards ..... CodedWrite
 * read that decodes from shards ................. CodedReader
 * shard pieces, fetched or computed ............. ShardFetch
 * shard on its way to a node .................... ShardPipe
 * shard computed from the others, as a stream ... RebuiltShard
 * stream made of pieces ......................... PieceStream
 * </pre>
 */
@NullMarked
package dev.ron.storage.cluster.coded;

import org.jspecify.annotations.NullMarked;
