/**
 * Rows of bytes in the order of their keys, changed by batches that carry the index of a log entry.
 * This package is the contract, and the store without a disk; {@code rocks} is the one on the disk.
 *
 * <pre>
 * what a store does ................. OrderedStore
 * a place among the rows ............ RowCursor
 * changes applied together .......... RowBatch
 * from one key to another ........... KeyRange
 * limits and native memory .......... OrderedSettings
 * everything a store refuses ........ OrderedFault
 * a fault thrown .................... OrderedException
 * sizes and backlog ................. OrderedUsage
 * a store in memory, for amnesia .... MemoryOrderedStore
 * its cursor ........................ MemoryCursor
 * its rows .......................... RowTree
 * its checkpoint, a file ............ RowFile
 * </pre>
 */
@NullMarked
package dev.ron.ordered;

import org.jspecify.annotations.NullMarked;
