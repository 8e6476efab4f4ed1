package dev.ron.node.cli;

import dev.ron.client.RepairStatus;
import dev.ron.client.StorageClient;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * What a running storage does to keep its copies.
 *
 * <p>Threading: owned by the thread that runs the command.
 */
@Command(
    name = "repair",
    description = "Look at the repair of a running storage.",
    subcommands = RepairCommand.StatusCommand.class)
public final class RepairCommand implements Callable<Integer> {
  @Override
  public Integer call() {
    System.err.println("ron repair status: shows plans, budget, progress and ETA");
    return 2;
  }

  /** {@code ron repair status}. */
  @Command(name = "status", description = "Show plans, budget, progress and ETA.")
  static final class StatusCommand implements Callable<Integer> {
    @Mixin private final StorageOptions storage = new StorageOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
      try (StorageClient client = storage.client()) {
        RepairStatus status = client.repair();
        System.out.print(storage.json() ? line(status) : table(status));
      }
      return 0;
    }
  }

  static String table(RepairStatus status) {
    var text = new StringBuilder();
    RepairStatus.Plans plans = status.plans();
    row(
        text,
        "plans",
        plans.all() == 0
            ? "none"
            : "%d, %s to go, ready in about %s"
                .formatted(plans.all(), bytes(plans.bytesLeft()), eta(status)));
    RepairStatus.Budget budget = status.budget();
    row(
        text,
        "budget",
        "%s/s of %s/s, %s moved"
            .formatted(
                bytes(budget.bytesPerSecond()),
                bytes(budget.fullBytesPerSecond()),
                bytes(budget.movedBytes())));
    row(
        text,
        "objects",
        "%d here, %d damaged".formatted(status.lastRound().objects(), status.damaged().objects()));
    for (RepairStatus.Home home : status.homes()) {
      String why = home.why() == null ? "" : ": " + home.why();
      row(text, "directory", "%s %s%s".formatted(home.label(), home.serves(), why));
    }
    RepairStatus.Cluster cluster = status.cluster();
    if (cluster != null) {
      row(
          text,
          "round " + cluster.round(),
          "%d missing, %d of them urgent, %d to give up"
              .formatted(cluster.missing(), cluster.urgent(), cluster.surplus()));
      row(text, "nodes from", cluster.registry());
      for (RepairStatus.Node node : cluster.nodes()) {
        row(text, "node " + node.node(), node.presence() + " at " + node.url());
      }
    }
    return text.toString();
  }

  private static String line(RepairStatus status) {
    RepairStatus.Cluster cluster = status.cluster();
    return "{\"plans\":%d,\"bytes_left\":%d,\"bytes_per_second\":%d,\"moved_bytes\":%d,\"missing\":%d,\"surplus\":%d}%n"
        .formatted(
            status.plans().all(),
            status.plans().bytesLeft(),
            status.budget().bytesPerSecond(),
            status.budget().movedBytes(),
            cluster == null ? 0 : cluster.missing(),
            cluster == null ? 0 : cluster.surplus());
  }

  private static String eta(RepairStatus status) {
    return status.etaSeconds() == null ? "?" : status.etaSeconds() + " s";
  }

  private static void row(StringBuilder text, String name, String value) {
    text.append("%-12s %s%n".formatted(name, value));
  }

  private static String bytes(long count) {
    if (count < 1 << 10) {
      return count + " B";
    }
    return count < 1 << 20
        ? String.format(Locale.ROOT, "%.1f KiB", count / 1024.0)
        : String.format(Locale.ROOT, "%.1f MiB", count / (1024.0 * 1024));
  }
}
