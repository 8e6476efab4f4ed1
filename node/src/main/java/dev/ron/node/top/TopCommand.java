package dev.ron.node.top;

import dev.ron.client.ServiceClient;
import dev.ron.kernel.time.SystemTime;
import dev.ron.kernel.time.Time;
import dev.ron.node.cli.CommandClient;
import dev.ron.node.profile.Terminal;
import dev.ron.node.profile.TerminalGuard;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Shows a running node, each second anew on a terminal; once in a pipe.
 *
 * <p>Threading: owned by the thread that runs the command.
 */
@Command(name = "top", description = "What a running node does, live.")
public final class TopCommand implements Callable<Integer> {
  private static final String CLEAR = "\u001b[H\u001b[2J";
  private static final Duration PERIOD = Duration.ofSeconds(1);

  @Mixin private final AdminOptions admin = new AdminOptions();

  @Option(names = "--rounds", defaultValue = "0", description = "End after that many; 0 for never.")
  private int rounds;

  @Option(names = "--json", description = "One object a line, no colours.")
  private boolean json;

  @Override
  public Integer call() throws IOException, InterruptedException {
    boolean terminal = !json && Terminal.out() && rounds != 1;
    int wanted = rounds > 0 ? rounds : terminal ? Integer.MAX_VALUE : 1;
    Time time = new SystemTime();
    return admin.ask(
        client -> {
          List<TopSample> before = read(client, time);
          for (int round = 0; round < wanted; round++) {
            time.sleepUntil(time.now().plus(PERIOD));
            List<TopSample> now = read(client, time);
            String text = json ? TopTable.json(before, now) : TopTable.text(before, now);
            if (terminal) {
              TerminalGuard.raw(System.out).print(CLEAR);
            }
            System.out.print(text);
            before = now;
          }
          return 0;
        });
  }

  private static List<TopSample> read(ServiceClient client, Time time)
      throws IOException, InterruptedException {
    var readings = new ArrayList<TopSample>();
    String metrics = CommandClient.get(client, "/metrics", AdminOptions.LIMIT);
    for (ServiceState each : ServiceState.all(client)) {
      readings.add(TopSample.of(each.service(), time.now(), each.ready(), metrics));
    }
    return readings;
  }
}
