package dev.ron.node.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.client.MailboxClient;
import dev.ron.client.ServiceRefusal;
import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.client.ClientFault;
import dev.ron.node.cluster.IdentityCommands;
import dev.ron.node.up.ConfigOptions;
import java.io.IOException;
import java.nio.file.Path;
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
      IdentityCommands.Init.class,
      IdentityCommands.Invite.class,
      IdentityCommands.Authority.class,
      ClusterCommand.Status.class,
      ClusterCommand.Join.class,
      ClusterCommand.Drain.class,
      ClusterCommand.Leave.class,
      ClusterCommand.Transfer.class
    })
public final class ClusterCommand {
  /** As the machine that is asked sees it. */
  @Command(name = "status", description = "The groups, their leaders and how far each peer is.")
  static final class Status implements Callable<Integer> {
    @Mixin private final MailboxOptions mailbox = new MailboxOptions();

    @Option(
        names = "--admin",
        defaultValue = "${env:RON_URL_ADMIN:-http://127.0.0.1:8090}",
        description = "The admin door; ${DEFAULT-VALUE} if not given.")
    private String admin = "http://127.0.0.1:8090";

    /** Empty for a node that belongs to no cluster, or whose machines are in its configuration. */
    private String machines() throws IOException, InterruptedException {
      String told = told("/cluster");
      return ClusterTable.machines(told).isEmpty() ? "" : told;
    }

    /** Of the objects by address, as the node's storage sees them; empty if it says nothing. */
    private String copies() throws IOException, InterruptedException {
      try {
        return told("/api/storage/repair");
      } catch (ServiceRefusal busy) {
        return ""; // the machines are shown without
      }
    }

    private String told(String path) throws IOException, InterruptedException {
      try (var client = CommandClient.to("admin", admin, mailbox.capability())) {
        return new String(
            client.bytes("GET", path, new Headers(1), new byte[0], MailboxOptions.LIMIT), UTF_8);
      } catch (ServiceRefusal none) {
        if (none.status() == 404 || none.status() == 403) {
          return "";
        }
        throw none;
      } catch (Refusal absent) {
        if (absent.fault() instanceof ClientFault.NoConnection) {
          return ""; // a mailbox without an admin door here
        }
        throw absent;
      }
    }

    private String groups(MailboxClient to, String machines)
        throws IOException, InterruptedException {
      try {
        return to.call("GET", "/v1/cluster", new byte[0], MailboxOptions.LIMIT);
      } catch (ServiceRefusal refused) {
        if (refused.status() == 404 && machines.isEmpty() && !mailbox.isJson()) {
          throw new IOException(
              "this node runs alone; `ron cluster init` makes it the first machine of a cluster",
              refused);
        }
        throw refused;
      }
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
      return mailbox.print(
          to -> {
            String machines = machines();
            String groups = groups(to, machines);
            if (machines.isEmpty()) {
              return mailbox.isJson() ? groups : ClusterTable.text(groups);
            }
            String copies = copies();
            return mailbox.isJson()
                ? "{\"cluster\":%s,\"mailbox\":%s%s}"
                    .formatted(
                        machines.strip(),
                        groups.strip(),
                        copies.isEmpty() ? "" : ",\"repair\":" + copies.strip())
                : ClusterTable.machines(machines)
                    + ClusterTable.copies(copies)
                    + ClusterTable.text(groups);
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
      return mailbox.post(
          "/v1/cluster/join", Map.of("node", node, "address", address), _ -> node + " joins");
    }
  }

  /** Before it leaves, or before its machine is worked on. */
  @Command(
      name = "drain",
      description = "Empty a machine before it leaves: leaderships first, then copies.")
  static final class Drain implements Callable<Integer> {
    /** Of the node that has the authority. */
    @Mixin private final ConfigOptions options = new ConfigOptions();

    @Option(names = "--undo", description = "Let it lead and take copies again.")
    private boolean undo;

    @Parameters(paramLabel = "NODE")
    private String node = "";

    @Override
    public Integer call() throws IOException {
      System.out.println(IdentityCommands.drain(options.load().node().data(), node, !undo));
      return 0;
    }
  }

  /** Whether it runs or not. */
  @Command(name = "leave", description = "Let a machine go, running or not.")
  static final class Leave implements Callable<Integer> {
    @Mixin private final MailboxOptions mailbox = new MailboxOptions();

    /** Of the node that has the authority. */
    @Mixin private final ConfigOptions options = new ConfigOptions();

    @Parameters(paramLabel = "NODE")
    private String node = "";

    /** Machines that stand in the configuration are the mailbox's alone. */
    @Override
    public Integer call() throws IOException, InterruptedException {
      Path data = options.load().node().data();
      if (IdentityCommands.isMember(data)) {
        System.out.println(IdentityCommands.leave(data, node));
        return 0;
      }
      return mailbox.post("/v1/cluster/leave", Map.of("node", node), _ -> node + " is let go");
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
      return mailbox.post(
          "/v1/cluster/transfer",
          Map.of("group", group, "node", node),
          _ -> "%s leads group %d".formatted(node, group));
    }
  }
}
