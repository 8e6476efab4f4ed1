package dev.ron.node.up;

import dev.ron.kernel.Scope;
import dev.ron.node.NodeProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What a person sees of a node that starts: a row for each service, on a terminal as soon as it is
 * ready, and the rest when the start is over.
 *
 * <p>Threading: owned by the main thread.
 */
final class StartTable {
  private final PrintStream out;
  private final Set<String> shown = new LinkedHashSet<>();

  StartTable(PrintStream out) {
    this.out = out;
  }

  /** Services that are ready, each once. */
  void ready(NodeProcess node) {
    show(node, scope -> scope.readiness().ready());
  }

  /** All that was not shown, ready or not. */
  void end(NodeProcess node, Duration sinceStart) {
    show(node, _ -> true);
    out.print(row(node.adminScope(), node.adminUrl()));
    out.printf("%nup in %d ms, %s; Ctrl-C drains%n", sinceStart.toMillis(), residentMemory());
  }

  private void show(NodeProcess node, Predicate<Scope> which) {
    node.urls()
        .forEach(
            (scope, url) -> {
              if (which.test(scope) && !shown.contains(scope.service())) {
                if (shown.isEmpty()) {
                  out.printf("%-10s %-26s %s%n", "SERVICE", "ADDRESS", "READY");
                }
                shown.add(scope.service());
                out.print(row(scope, url));
              }
            });
  }

  /** What a person may type next, of what the node runs. */
  static String next(Set<String> services) {
    var commands = new LinkedHashMap<String, String>();
    commands.put(command("status"), "whether it is well");
    if (services.contains("mailbox")) {
      commands.put("echo hello | " + command("send orders --key 1"), "a message in a queue");
    }
    if (services.contains("s3")) {
      commands.put(command("s3 mb s3://photos"), "a bucket");
    }
    return next(commands);
  }

  /**
   * Lines that can be copied.
   *
   * @param commands with what each is for
   */
  static String next(Map<String, String> commands) {
    return commands.entrySet().stream()
        .map(each -> "  %-38s # %s%n".formatted(each.getKey(), each.getValue()))
        .collect(Collectors.joining("", "%nnext, in another terminal:%n".formatted(), ""));
  }

  /** As this start was called: in a checkout {@code ./ron}, which is on no path. */
  static String command(String words) {
    return System.getProperty("ron.command", "ron") + " " + words;
  }

  private static String row(Scope scope, String url) {
    String ready = scope.readiness().ready() ? "yes" : "no, " + NodeProcess.lacks(scope);
    return "%-10s %-26s %s%n".formatted(scope.service(), url, ready);
  }

  /** One figure for all services: they share a heap, and splitting it would be a guess. */
  private static String residentMemory() {
    try (var lines = Files.lines(Path.of("/proc/self/status"))) {
      return lines
          .filter(line -> line.startsWith("VmRSS:"))
          .map(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024 + " MiB resident")
          .findFirst()
          .orElse("memory unknown");
    } catch (IOException notLinux) {
      return "memory unknown";
    }
  }
}
