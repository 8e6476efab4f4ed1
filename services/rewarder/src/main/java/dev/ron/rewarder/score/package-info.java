/**
 * Adds up one accounting input with several workers, and on disk when it does not fit in memory.
 *
 * <pre>
 * finds the format, cuts into pieces ........ AccountingReader
 * part one worker adds up ................... AccountingPiece
 * one piece per Parquet row group ........... ParquetPieces
 * one input counted by several workers ...... ParallelTally
 * aggregation without a service around it ... Aggregation
 * scores written out, sorted, merged ........ SpilledScores
 * one actor's scores in a file .............. ScoreEntry
 * goes through a file of scores ............. ScoreFileCursor
 * </pre>
 */
@NullMarked
package dev.ron.rewarder.score;

import org.jspecify.annotations.NullMarked;
