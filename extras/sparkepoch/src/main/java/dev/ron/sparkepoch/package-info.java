/**
 * An epoch's accounting added up by many machines, with Apache Spark.
 *
 * <pre>
 * the job .................. SparkEpoch
 * what goes between ........ ActorKey, ActorScores
 * from Spark to calculus ... SortedRows
 * from the command line .... SparkEpochMain
 * </pre>
 */
@NullMarked
package dev.ron.sparkepoch;

import org.jspecify.annotations.NullMarked;
