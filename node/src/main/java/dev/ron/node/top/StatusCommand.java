package dev.ron.node.top;

import dev.ron.node.cli.CommandClient;
import dev.ron.node.profile.Terminal;
import dev.ron.node.profile.TextTable;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
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
  @Mixin private final AdminOptions admin = new AdminOptions();

  @Option(names = "--json", description = "One JSON object.")
  private boolean json;

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<ServiceState> all = admin.ask(ServiceState::all);
    boolean well = all.stream().allMatch(ServiceState::ready);
    boolean coloured = Terminal.out() && TextTable.coloured(System.getenv());
    System.out.println(json ? json(all, well) : text(all, well, coloured));
    return well ? 0 : 1;
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
