/**
 * As much of Parquet as accounting needs: a strict reader of flat tables.
 *
 * <pre>
 * schema and row groups ............... ParquetFooter
 * one row group into a tally .......... ParquetRows
 * one decoded column .................. ParquetColumn
 * pages without their codec ........... PageBytes
 * run-length and bit-packed numbers ... RunLengths
 * Snappy block format ................. Snappy
 * Thrift compact protocol ............. ThriftStruct
 * </pre>
 */
@NullMarked
package dev.ron.rewarder.input.parquet;

import org.jspecify.annotations.NullMarked;
