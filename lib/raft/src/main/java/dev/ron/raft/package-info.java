/**
 * One log on several machines: an entry counts once a majority has it on disk. Apache Ratis does
 * the work and is seen nowhere else.
 *
 * <pre>
 * this machine in all groups .......... RaftNode
 * the same by Ratis ................... RatisNode
 * one group of it ..................... RaftGroup
 * the same by Ratis ................... RatisGroup
 * leader and progress of a group ...... RaftGroupStatus
 * brings groups to a list of machines . GroupMembership
 * that list, and who is told .......... GroupMachines
 * whether this machine carries them ... GroupReadiness
 * peers, folder and limits ............ RaftSettings
 * certificates between peers .......... PeerKeys
 * what the log drives ................. RaftStateMachine
 * adapter from Ratis to it ............ RatisStateMachine
 * a committed entry ................... RaftEntry
 * connections for requests to peers ... RaftConnections
 * settings of Ratis, with reasons ..... RatisProperties
 * turns Ratis's own metrics off ....... NoRatisMetrics
 * </pre>
 */
@NullMarked
package dev.ron.raft;

import org.jspecify.annotations.NullMarked;
