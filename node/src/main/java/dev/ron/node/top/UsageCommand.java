package dev.ron.node.top;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.client.ServiceClient;
import dev.ron.client.StorageClient;
import dev.ron.config.value.Durations;
import dev.ron.http.Headers;
import dev.ron.http.json.JsonTree;
import dev.ron.kernel.time.SystemTime;
import dev.ron.node.cli.CommandClient;
import dev.ron.node.profile.Terminal;
import dev.ron.node.profile.TextTable;
import dev.ron.node.usage.ListedSeals;
import dev.ron.usage.Seal;
import dev.ron.usage.SealChain;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Shows what tenants used of a running node, and checks its seals.
 *
 * <p>Threading: owned by the thread that runs the command.
 */
@Command(
    name = "usage",
    description = "What tenants used of a running node, and the seals over it.",
    subcommands = {UsageCommand.Seals.class, UsageCommand.Verify.class})
public final class UsageCommand implements Callable<Integer> {
  @Mixin private final AdminOptions admin = new AdminOptions();

  @Option(names = "--tenant", description = "Only this one.")
  private @Nullable String tenant;

  @Option(names = "--since", description = "Such as 24h or 7d, or an instant; all if not given.")
  private @Nullable String since;

  @Option(names = "--json", description = "The node's own JSON.")
  private boolean json;

  @Override
  public Integer call() throws IOException, InterruptedException {
    var path = new StringBuilder("/usage?");
    if (since != null) {
      path.append("since=").append(ServiceClient.escaped(instant(since).toString())).append('&');
    }
    if (tenant != null) {
      path.append("tenant=").append(ServiceClient.escaped(tenant));
    }
    return admin.ask(
        client -> {
          show(get(client, path.toString()));
          return 0;
        });
  }

  private void show(byte[] answer) throws IOException {
    if (json) {
      System.out.println(new String(answer, UTF_8));
      return;
    }
    Map<String, @Nullable Object> page = JsonTree.object(answer);
    var rows = new ArrayList<List<String>>();
    if (page.get("usage") instanceof List<?> usage) {
      for (Object each : usage) {
        if (each instanceof Map<?, ?> row) {
          rows.add(
              List.of(
                  String.valueOf(row.get("tenant")),
                  String.valueOf(row.get("metric")),
                  String.valueOf(row.get("units"))));
        }
      }
    }
    System.out.printf("node %s, %s to %s%n", page.get("node"), page.get("from"), page.get("to"));
    System.out.println(table(List.of("TENANT", "METRIC", "UNITS"), rows));
    if (page.get("damaged") instanceof List<?> damaged) {
      for (Object each : damaged) {
        if (each instanceof Map<?, ?> one) {
          System.err.printf(
              "not counted: span %s, %s: %s%s%n",
              one.get("span"),
              one.get("file"),
              one.get("why"),
              one.get("lost") instanceof Map<?, ?> lost && !lost.isEmpty()
                  ? "; missing: " + lost
                  : "");
        }
      }
    }
  }

  static String table(List<String> head, List<List<String>> rows) {
    return TextTable.of(head, rows, Terminal.out() && TextTable.coloured(System.getenv()));
  }

  /** An instant, or so long ago. */
  static Instant instant(String text) {
    return text.contains("T")
        ? Instant.parse(text)
        : new SystemTime().wall().minus(Durations.ofFlag("--since", text));
  }

  private static byte[] get(ServiceClient client, String path)
      throws IOException, InterruptedException {
    return client.bytes("GET", path, new Headers(1), new byte[0], AdminOptions.LIMIT);
  }

  /** One line for each seal. */
  @Command(name = "seals", description = "The chain of seals.")
  static final class Seals implements Callable<Integer> {
    @Mixin private final AdminOptions admin = new AdminOptions();

    @Option(names = "--json", description = "One seal a line.")
    private boolean json;

    @Override
    public Integer call() throws IOException, InterruptedException {
      return admin.ask(
          client -> {
            show(ListedSeals.of(client));
            return 0;
          });
    }

    private void show(ListedSeals seals) throws IOException {
      var rows = new ArrayList<List<String>>();
      for (ListedSeals.Entry each : seals.entries()) {
        if (json) {
          System.out.println(new String(each.bytes(), UTF_8));
        } else if (each.damaged().isPresent()) {
          rows.add(
              List.of(
                  Long.toString(each.number()),
                  "-",
                  "-",
                  each.file() + " is damaged",
                  each.damaged().get()));
        } else {
          Seal seal = Seal.parse(each.bytes());
          rows.add(
              List.of(
                  Long.toString(seal.number()),
                  seal.from().toString(),
                  seal.to().toString(),
                  seal.accounting().toString(),
                  seal.address().toString()));
        }
      }
      if (!json) {
        System.out.println(
            rows.isEmpty()
                ? "no seals yet"
                : table(List.of("NUMBER", "FROM", "TO", "ACCOUNTING", "SEAL"), rows));
      }
    }
  }

  /** Checks the chain against what the storage has. */
  @Command(
      name = "verify",
      description = "Check chain, signatures and addresses of all seals. Exits 1 if one is wrong.")
  static final class Verify implements Callable<Integer> {
    @Mixin private final AdminOptions admin = new AdminOptions();

    @Option(
        names = "--storage",
        defaultValue = "${env:RON_URL_STORAGE:-http://127.0.0.1:8083}",
        description = "Where the accounting is stored; ${DEFAULT-VALUE} if not given.")
    private String storage = "";

    @Override
    public Integer call() throws IOException, InterruptedException {
      List<ListedSeals.Entry> seals = admin.ask(ListedSeals::of).entries();
      try (StorageClient client =
          new StorageClient(CommandClient.scope(), URI.create(storage), admin.capability())) {
        var chain = new SealChain(ListedSeals.accounting(client));
        for (ListedSeals.Entry each : seals) {
          each.into(chain);
        }
        var findings = new ArrayList<>(chain.findings());
        chain
            .firstNumber()
            .filter(first -> first != 1)
            .ifPresent(first -> findings.add("the seals before number " + first + " are missing"));
        findings.forEach(System.err::println);
        boolean right = findings.isEmpty();
        System.out.printf(
            "%d seals, %s%n", chain.seals(), right ? "all right" : findings.size() + " findings");
        if (!seals.isEmpty() && right) {
          System.out.printf("node %s%n", Seal.parse(seals.getLast().bytes()).node());
        }
        return right ? 0 : 1;
      }
    }
  }
}
