/**
 * The guided tour: a node in a process of its own, and chapters with real effects.
 *
 * <pre>
 * ron demo ............................... DemoCommand
 * the chapters in order .................. Tour
 * one part of the tour, its result ....... Chapter, ChapterResult
 * a node that can be killed .............. DemoNode
 * a bucket whose files survive a kill .... BucketFiles
 * a queue with a job that always fails ... PoisonMessage
 * acknowledged messages survive a kill ... KillUnderLoad
 * a flipped bit heals .................... FlippedBit
 * fair turns beside a loud tenant ........ LoudTenant
 * three machines, one of them killed ..... LostMachine, ThreeMachines
 * payouts add up to the pool ............. EpochSum
 * payouts from sealed usage .............. SealedEpoch
 * prints the tour ........................ Narrator
 * </pre>
 */
@NullMarked
package dev.ron.node.demo;

import org.jspecify.annotations.NullMarked;
