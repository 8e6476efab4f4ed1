/**
 * Where sealed inputs come from, and how their bytes are verified, decoded and scanned.
 *
 * <pre>
 * source of inputs by address .............. SealedInputs
 * inputs from a folder ..................... FileInputs
 * inputs from a storage service ............ StorageInputs
 * whether the storage answers .............. StorageHealth
 * hashes on reading, refuses a wrong end ... SealedStream
 * input with gzip or zstd removed .......... DecodedInput, DecodedStream
 * blocks of whole lines .................... LineBlocks
 * scans lines into a tally ................. LineScanner
 * accounting as CSV ........................ CsvScanner
 * accounting as JSON lines ................. JsonLineScanner
 * byte search, eight at a time ............. ByteSearch
 * rule for an actor's name ................. ActorName
 * the pool as a document ................... LedgerForm
 * </pre>
 */
@NullMarked
package dev.ron.rewarder.input;

import org.jspecify.annotations.NullMarked;
