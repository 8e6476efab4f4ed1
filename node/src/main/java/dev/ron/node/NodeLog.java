package dev.ron.node;

import dev.ron.kernel.log.Log;
import dev.ron.kernel.log.LogLine;
import dev.ron.kernel.time.SystemTime;
import dev.ron.node.profile.Terminal;
import java.io.PrintStream;
import java.util.function.Consumer;
import java.util.function.Function;

/** Logs to the standard error stream, in the form that was asked for, and to the last lines. */
public final class NodeLog {
  private NodeLog() {}

  public static Log to(PrintStream stream, NodeConfig.LogForm form, RecentLog recent) {
    boolean text =
        switch (form) {
          case TEXT -> true;
          case JSON -> false;
          case AUTO -> Terminal.err();
        };
    Function<LogLine, String> render = text ? LogLine::text : LogLine::json;
    // Progress for people is the start table; below WARN a terminal stays quiet.
    LogLine.Level least = text ? LogLine.Level.WARN : LogLine.Level.INFO;
    Consumer<LogLine> sink =
        line -> {
          recent.accept(line);
          if (line.level().compareTo(least) >= 0) {
            stream.println(render.apply(line));
          }
        };
    return new Log("ron", LogLine.Level.INFO, new SystemTime()::wall, sink);
  }
}
