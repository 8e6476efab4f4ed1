/**
 * Time, threads, machines and what lies between them, all under one seed.
 *
 * <pre>
 * one run, all its parts ................. Simulation
 * its outcome; makes a plan shorter ...... SeedRun
 * a cluster and what must hold ........... Scenario
 * what happens to it ..................... Plan, PlanStep
 * where a test plants a bug .............. Seams
 * threads and events in a seeded order ... Scheduler
 * a machine's time ....................... SimulatedTime
 * a machine, its disk .................... Machine
 * a machine from power on to power out ... Boot
 * what lies between machines ............. Network
 * what machines keep together ............ SharedContent
 * an invariant that does not hold ........ Violation
 * whether a history is one of an object .. HistoryCheck
 * </pre>
 */
@NullMarked
package dev.ron.simulator.engine;

import org.jspecify.annotations.NullMarked;
