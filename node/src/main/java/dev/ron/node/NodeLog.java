package dev.ron.node;

import dev.ron.kernel.log.Log;
import dev.ron.kernel.log.LogLine;
import dev.ron.kernel.time.SystemTime;
import java.io.Console;
import java.io.PrintStream;
import java.util.function.Function;

/** Logs to the standard error stream, in the form that was asked for. */
public final class NodeLog {
  private NodeLog() {}

  public static Log to(PrintStream stream, NodeConfig.LogForm form) {
    boolean text =
        switch (form) {
          case TEXT -> true;
          case JSON -> false;
          case AUTO -> onTerminal();
        };
    Function<LogLine, String> render = text ? LogLine::text : LogLine::json;
    // Progress for people is the start table; below WARN a terminal stays quiet.
    LogLine.Level least = text ? LogLine.Level.WARN : LogLine.Level.INFO;
    return new Log(
        "ron", least, new SystemTime()::wall, line -> stream.println(render.apply(line)));
  }

  @SuppressWarnings("SystemConsoleNull") // it may be, where java.base has no other console module
  public static boolean onTerminal() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }
}
