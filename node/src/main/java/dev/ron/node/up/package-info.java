/**
 * Commands about the node itself: start it, show its configuration, check the machine first.
 *
 * <pre>
 * ron up: start, stay, drain ............... UpCommand
 * a node from its start to its end ......... NodeLife
 * a cluster on loopback to look at ......... LoopbackMachines
 * SIGTERM, SIGHUP .......................... Signals
 * what is printed at start ................. StartTable
 * readiness for waiting programs ........... ReadyFile
 * ron config ............................... ConfigCommand
 * flags of commands with a configuration ... ConfigOptions
 * ron doctor, its checks, one result ....... DoctorCommand, DoctorChecks, DoctorResult
 * </pre>
 */
@NullMarked
package dev.ron.node.up;

import org.jspecify.annotations.NullMarked;
