/**
 * The guided tour: a node in a process of its own, and four chapters with real effects.
 *
 * <pre>
 * ron demo ............................... DemoCommand
 * the chapters in order .................. Tour
 * one part of the tour, its result ....... Chapter, ChapterResult
 * a node that can be killed .............. DemoNode
 * acknowledged messages survive a kill ... KillUnderLoad
 * a flipped bit heals .................... FlippedBit
 * fair turns beside a loud tenant ........ LoudTenant
 * payouts add up to the pool ............. EpochSum
 * prints the tour ........................ Narrator
 * </pre>
 */
@NullMarked
package dev.ron.node.demo;

import org.jspecify.annotations.NullMarked;
