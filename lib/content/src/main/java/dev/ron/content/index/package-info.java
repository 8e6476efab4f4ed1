/**
 * The index in memory: where each object lies, and what of it was verified.
 *
 * <pre>
 * all entries, sharded by address ... AddressIndex
 * hash table of one shard ........... IndexShard
 * what is known of one address ...... IndexEntry
 * groups verified since the start ... VerifiedGroups
 * </pre>
 */
@NullMarked
package dev.ron.content.index;

import org.jspecify.annotations.NullMarked;
