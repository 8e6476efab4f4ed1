/**
 * Adds up lines of accounting into scores by actor, in memory. Pure, as all of core.
 *
 * <pre>
 * adds up units times weight ............ Tally
 * a policy's metrics by their bytes ..... MetricTable
 * sums by dictionary number ............. DictionarySums
 * open-addressed table of scores ........ ScoreTable
 * tables that fit the CPU cache ......... ScoreParts
 * all actors in byte order .............. SortedScores
 * names as bytes, compared and hashed ... Octets
 * what is wrong with an actor's line .... BadLine
 * a line that stops the run ............. LineFault
 * </pre>
 */
@NullMarked
package dev.ron.rewarder.core.score;

import org.jspecify.annotations.NullMarked;
