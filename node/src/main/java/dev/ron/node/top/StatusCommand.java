package dev.ron.node.top;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.client.ServiceClient;
import dev.ron.http.Refusal;
import dev.ron.http.json.JsonTree;
import dev.ron.node.cli.CommandClient;
import dev.ron.node.profile.Terminal;
import dev.ron.node.profile.TextTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Says in one screen whether a node is well; the exit code is 0 only if it is.
 *
 * <p>Threading: owned by the thread that runs the command.
 */
@Command(name = "status", description = "Is it well? Each service, and what it lacks; 0 if it is.")
public final class StatusCommand implements Callable<Integer> {
  private static final Pattern ADDRESS =
      Pattern.compile("\\{\"service\":\"([a-z0-9]+)\",\"url\":\"([^\"]+)\"");

  @Mixin private final AdminOptions admin = new AdminOptions();

  @Option(names = "--json", description = "One JSON object.")
  private boolean json;

  /**
   * @param missing what its readiness lacks; empty if it is ready
   */
  record ServiceState(String service, String url, boolean ready, String missing) {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<ServiceState> all = admin.ask(StatusCommand::states);
    boolean well = !all.isEmpty() && all.stream().allMatch(ServiceState::ready);
    boolean coloured = Terminal.out() && TextTable.coloured(System.getenv());
    System.out.println(json ? json(all, well) : text(all, well, coloured));
    return well ? 0 : 1;
  }

  private static List<ServiceState> states(ServiceClient client)
      throws IOException, InterruptedException {
    List<ServiceState> all = new ArrayList<>();
    Matcher found = ADDRESS.matcher(CommandClient.get(client, "/registry", AdminOptions.LIMIT));
    while (found.find()) {
      String service = found.group(1);
      String ready = CommandClient.get(client, "/api/" + service + "/readyz", AdminOptions.LIMIT);
      all.add(of(service, found.group(2), ready));
    }
    return all;
  }

  static ServiceState of(String service, String address, String readyz) {
    Map<String, @Nullable Object> said = Map.of();
    try {
      said = JsonTree.object(readyz.getBytes(UTF_8));
    } catch (Refusal unreadable) {
      // Said below: it does not answer as a service does.
    }
    boolean ready = Boolean.TRUE.equals(said.get("ready"));
    String lacks =
        said.get("missing") instanceof Map<?, ?> missing
            ? missing.entrySet().stream()
                .map(each -> each.getKey() + ": " + each.getValue())
                .collect(Collectors.joining("; "))
            : "does not answer";
    return new ServiceState(service, address, ready, ready ? "" : lacks);
  }

  static String text(List<ServiceState> all, boolean well, boolean coloured) {
    List<List<String>> rows =
        all.stream()
            .map(
                each ->
                    List.of(
                        each.service(), each.url(), each.ready() ? "yes" : "NO", each.missing()))
            .toList();
    String table = TextTable.of(List.of("SERVICE", "ADDRESS", "READY", "LACKS"), rows, coloured);
    long sick = all.stream().filter(each -> !each.ready()).count();
    return table
        + "\n"
        + (well ? "it is well" : "it is NOT well: %d of %d".formatted(sick, all.size()));
  }

  private static String json(List<ServiceState> all, boolean well) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("well", well);
    fields.put("services", all);
    return CommandClient.json(fields);
  }
}
