/**
 * What tests stand on.
 *
 * <pre>
 * a property under many seeds ......... Seeds
 * virtual threads in seeded order ..... SeededThreads
 * disk that tears, fills and fails .... FaultyDisk, FaultyFile
 * what every disk must do ............. DiskContract
 * link that cuts and stalls ........... FaultyLink
 * upstream that reads by the letter ... RecordingOrigin
 * requests that can be read twice ..... WireProbe
 * bytes exactly as sent ............... RawClient, RawHttp2
 * JVM to kill ......................... ChildJvm
 * what a power cut leaves of a write .. TornWrite
 * classes a fuzzer can instrument ..... ClassVersionAgent
 * real browser and its protocol ....... Browser, DevTools
 * generated text, compared ............ Golden
 * tasks and channels as diagrams ...... TopologyDiagram
 * fails on a thread left over ......... NoThreadsLeft
 * ports known before the start ........ FreePorts
 * files of a service that runs ........ LiveFiles
 * who asked what, when, and heard ..... CallHistory
 * an order that answers so ............ LinearizabilityCheck
 * what one caller would be told ....... SequentialModel
 * a value with compare and set ........ ConditionalRegister
 * meter that a test reads ............. UnitLedger
 * where a random test started ......... Seed
 * statement of a seed that it shows ... SeedRow
 * </pre>
 */
@NullMarked
package dev.ron.testkit;

import org.jspecify.annotations.NullMarked;
