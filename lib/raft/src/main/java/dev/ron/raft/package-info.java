/**
 * One log on several machines: a record counts once a majority has it on disk.
 *
 * <pre>
 * this machine's part in all groups ... RaftNode        its limits and peers ....... RaftSettings
 * one group of it ..................... RaftGroup       what is kept in step ....... Machine
 * a record in its place ............... Entry           between Ratis and it ....... MachineDriver
 * who leads, how far everybody is ..... GroupStatus     Ratis's own settings ....... RatisProperties
 * who may be a peer ................... PeerKeys        a question to the leader ... Lines
 * </pre>
 *
 * Apache Ratis does the work and is seen nowhere else; ADR 0027 says why it.
 */
@NullMarked
package dev.ron.raft;

import org.jspecify.annotations.NullMarked;
