/**
 * The log that machines agree on, in the place of Ratis.
 *
 * <pre>
 * one group's log, on all machines ....... AgreedLog
 * what it drives ......................... LogDriver
 * one machine's part in it ............... LogMember
 * an entry ............................... LogEntry
 * what a state machine's owner sees ...... LogNode, LogGroup
 * </pre>
 */
@NullMarked
package dev.ron.simulator.log;

import org.jspecify.annotations.NullMarked;
