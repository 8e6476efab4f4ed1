/**
 * Content-addressed storage: the interface of a store and its results, and the stores that keep
 * nothing on disk themselves.
 *
 * <pre>
 * interface of a store ........................ ContentStore
 * open range of one object .................... ContentReader
 * address and size of an object ............... ContentStat
 * results of put, open and delete ............. PutResult, OpenResult, DeleteResult
 * faults and their order ...................... ContentFault
 * exception of a store that does not answer ... ContentUnavailable
 * how full a store is ......................... Space
 * bytes of a file, to send without copying .... FileRegion, OpenRegion
 * metrics of all stores, and of one ........... ContentMetrics, StoreMeters
 * store in memory, for amnesia ................ AmnesiaStore
 * address as four comparable words ............ AddressKey
 * objects that must not be deleted now ........ Pins
 * </pre>
 */
@NullMarked
package dev.ron.content;

import org.jspecify.annotations.NullMarked;
