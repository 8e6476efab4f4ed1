package dev.ron.node.top;

import dev.ron.client.ServiceClient;
import dev.ron.client.ServiceRefusal;
import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.json.JsonTree;
import dev.ron.kernel.log.LogLine;
import dev.ron.kernel.time.SystemTime;
import dev.ron.kernel.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Shows the last lines of a running node's log, and those that follow.
 *
 * <p>Threading: owned by the thread that runs the command.
 */
@Command(name = "logs", description = "The last lines of a running node's log.")
public final class LogsCommand implements Callable<Integer> {
  private static final Duration PERIOD = Duration.ofSeconds(1);

  @Mixin private final AdminOptions admin = new AdminOptions();

  @Option(
      names = {"-f", "--follow"},
      description = "Go on with the lines that follow, until Ctrl-C.")
  private boolean follow;

  @Option(
      names = "--level",
      defaultValue = "INFO",
      description = "The least that is shown: ${COMPLETION-CANDIDATES}.")
  private LogLine.Level level = LogLine.Level.INFO;

  @Option(names = "--service", description = "Only lines of this service.")
  private @Nullable String service;

  @Option(names = "--json", description = "One object a line.")
  private boolean json;

  @Override
  public Integer call() throws IOException, InterruptedException {
    return admin.ask(
        client -> {
          show(client);
          return 0;
        });
  }

  private void show(ServiceClient client) throws IOException, InterruptedException {
    Time time = new SystemTime();
    long next = print(client, 0);
    boolean answers = true;
    while (follow) {
      time.sleepUntil(time.now().plus(PERIOD));
      try {
        next = print(client, next);
        answers = true;
      } catch (Refusal | ServiceRefusal refused) {
        if (refused instanceof ServiceRefusal no && !no.mayPass()) {
          throw refused;
        }
        if (answers) {
          System.err.println("ron: the node does not answer; its lines follow once it does");
        }
        answers = false;
      }
    }
  }

  /** Prints the lines from that number on; the number to go on with. */
  private long print(ServiceClient client, long from) throws IOException, InterruptedException {
    byte[] answer =
        client.bytes("GET", "/logs?from=" + from, new Headers(1), new byte[0], AdminOptions.LIMIT);
    Map<String, @Nullable Object> page = JsonTree.object(answer);
    if (page.get("lines") instanceof List<?> lines) {
      for (Object each : lines) {
        if (each instanceof Map<?, ?> fields) {
          LogLine line = line(fields);
          if (wanted(line)) {
            System.out.println(json ? line.json() : line.text());
          }
        }
      }
    }
    return page.get("next") instanceof Number next ? next.longValue() : from;
  }

  private boolean wanted(LogLine line) {
    return line.level().compareTo(level) >= 0
        && (service == null || service.equals(line.service()));
  }

  private static LogLine line(Map<?, ?> from) {
    Map<String, String> fields = new LinkedHashMap<>();
    if (from.get("fields") instanceof Map<?, ?> named) {
      named.forEach((name, value) -> fields.put(String.valueOf(name), String.valueOf(value)));
    }
    return new LogLine(
        Instant.parse(String.valueOf(from.get("at"))),
        LogLine.Level.valueOf(String.valueOf(from.get("level")).toUpperCase(Locale.ROOT)),
        String.valueOf(from.get("service")),
        String.valueOf(from.get("event")),
        fields);
  }
}
