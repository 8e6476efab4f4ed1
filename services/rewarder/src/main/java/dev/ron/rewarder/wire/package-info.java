/**
 * Bytes to values and back.
 *
 * <pre>
 * lines of accounting ..... LineScanner: CsvScanner, JsonLineScanner; ActorName, Bytes
 * Parquet ................. ParquetFooter, ParquetColumn, ParquetRows; PageBytes, ThriftStruct, RunLengths, Snappy
 * documents ............... PolicyForm, LedgerForm
 * what goes out ........... AllocationForm, IntentForm; to the ledger's journal: PostingForm
 * signatures .............. SignatureKind
 * refusals on the way ..... Refused
 * </pre>
 */
@NullMarked
package dev.ron.rewarder.wire;

import org.jspecify.annotations.NullMarked;
