/**
 * Other programs: found, run, measured and ended in any case.
 *
 * <pre>
 * a program we compare with ......... Peer
 * folders peers are looked for in ... SearchPath
 * program run for a while ........... ChildProcess
 * program run to its end ............ ToolRun
 * node by its launcher .............. NodeTarget
 * command of a Ron JVM .............. ChildJvmCommand
 * process with its descendants ...... ProcessTree
 * CPU seconds, from /proc ........... CpuTime, ProcStat
 * undone when the JVM exits ......... ExitGuard
 * folder for one run ................ TempFolder
 * </pre>
 */
@NullMarked
package dev.ron.bench.process;

import org.jspecify.annotations.NullMarked;
