package dev.ron.node.up;

import dev.ron.kernel.Scope;
import dev.ron.node.NodeProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** What a person sees once the node is up. */
final class StartTable {
  private StartTable() {}

  static String of(NodeProcess node, Duration sinceStart) {
    var out = new StringBuilder();
    out.append("%-10s %-26s %s%n".formatted("SERVICE", "ADDRESS", "READY"));
    for (Map.Entry<Scope, String> service : node.urls().entrySet()) {
      out.append(row(service.getKey(), service.getValue()));
    }
    out.append(row(node.adminScope(), node.adminUrl()));
    out.append(
        "%nup in %d ms, %s; Ctrl-C drains%n".formatted(sinceStart.toMillis(), residentMemory()));
    return out.toString();
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
