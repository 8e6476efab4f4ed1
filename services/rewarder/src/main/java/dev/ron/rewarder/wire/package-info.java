/**
 * Bytes to values and back.
 *
 * <pre>
 * lines of accounting ..... LineScanner: CsvScanner, JsonLineScanner; ActorName, Bytes
 * Parquet ................. ParquetFile, ParquetColumn ...
 * documents ............... JsonTree, Fields, PolicyForm, LedgerForm
 * signatures .............. Signatures
 * </pre>
 */
@NullMarked
package dev.ron.rewarder.wire;

import org.jspecify.annotations.NullMarked;
