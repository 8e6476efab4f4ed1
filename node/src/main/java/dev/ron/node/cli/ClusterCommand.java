package dev.ron.node.cli;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The machines that keep a mailbox together.
 *
 * <p>Threading: owned by the thread that runs the command.
 */
@Command(
    name = "cluster",
    description = "Who leads, who is how far; take machines in and out.",
    subcommands = {
      ClusterCommand.Status.class,
      ClusterCommand.Join.class,
      ClusterCommand.Leave.class,
      ClusterCommand.Transfer.class
    })
public final class ClusterCommand {
  /** As the machine that is asked sees it. */
  @Command(name = "status", description = "The groups, their leaders and how far each peer is.")
  static final class Status implements Callable<Integer> {
    @Mixin private final MailboxOptions mailbox = new MailboxOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
      return mailbox.print(
          to -> {
            String answer = to.call("GET", "/v1/cluster", new byte[0], MailboxOptions.LIMIT);
            return mailbox.isJson() ? answer : ClusterTable.text(answer);
          });
    }
  }

  /** The machine runs already, with {@code cluster.join = true}. */
  @Command(name = "join", description = "Take a machine in that waits to be.")
  static final class Join implements Callable<Integer> {
    @Mixin private final MailboxOptions mailbox = new MailboxOptions();

    @Parameters(paramLabel = "NODE")
    private String node = "";

    @Parameters(paramLabel = "HOST:PORT")
    private String address = "";

    @Override
    public Integer call() throws IOException, InterruptedException {
      return mailbox.post("/v1/cluster/join", Map.of("node", node, "address", address));
    }
  }

  /** Whether it runs or not. */
  @Command(name = "leave", description = "Let a machine go, running or not.")
  static final class Leave implements Callable<Integer> {
    @Mixin private final MailboxOptions mailbox = new MailboxOptions();

    @Parameters(paramLabel = "NODE")
    private String node = "";

    @Override
    public Integer call() throws IOException, InterruptedException {
      return mailbox.post("/v1/cluster/leave", Map.of("node", node));
    }
  }

  /** To a machine that is about as far as the leader. */
  @Command(name = "transfer", description = "Hand the leadership of a group to a machine.")
  static final class Transfer implements Callable<Integer> {
    @Mixin private final MailboxOptions mailbox = new MailboxOptions();

    @Option(names = "--group", defaultValue = "0", description = "The group; 0 if not given.")
    private int group;

    @Parameters(paramLabel = "NODE")
    private String node = "";

    @Override
    public Integer call() throws IOException, InterruptedException {
      return mailbox.post("/v1/cluster/transfer", Map.of("group", group, "node", node));
    }
  }
}
