/**
 * What tests stand on.
 *
 * <pre>
 * a failure that comes back by its seed .. Seeds          threads in a seeded order ... SeededThreads
 * a disk that tears, fills and fails ..... FaultyDisk     what every disk must do ..... DiskContract
 * a network that cuts and stalls ......... FaultyLink     a process to kill -9 ........ ChildJvm
 * a thread left over is a failure ........ NoThreadsLeft  generated text, compared .... Golden
 * a real browser, clicked by the test .... Browser        bytes as they are sent ...... RawClient, RawHttp2
 * an upstream that reads by the letter ... RecordingOrigin, and requests to try it with . WireProbe
 * </pre>
 */
@NullMarked
package dev.ron.testkit;

import org.jspecify.annotations.NullMarked;
