package dev.ron.node;

import dev.ron.capability.Verifier;
import dev.ron.config.Section;
import dev.ron.edge.EdgeConfig;
import dev.ron.edge.EdgeService;
import dev.ron.http.server.Limits;
import dev.ron.kernel.Scope;
import dev.ron.mailbox.MailboxConfig;
import dev.ron.mailbox.MailboxService;
import java.io.IOException;
import java.util.List;

/**
 * The services of this build, in the order they start: whoever is called stands before the caller.
 *
 * <p>A new service is one line here.
 */
final class Services {
  private static final int EDGE_OFFSET = 1;
  private static final int MAILBOX_OFFSET = 2;

  private Services() {}

  static List<ServiceKind<?>> all() {
    return List.of(
        new ServiceKind<>("mailbox", MAILBOX_OFFSET, Services::mailbox, Services::mailbox),
        new ServiceKind<>("edge", EDGE_OFFSET, Services::edge, Services::edge));
  }

  private static MailboxConfig mailbox(Section section, NodeConfig node) {
    return MailboxConfig.read(
        section, "127.0.0.1:" + node.port(MAILBOX_OFFSET), node.data().resolve("mailbox"));
  }

  private static ServiceKind.Wired mailbox(
      MailboxConfig config, Scope scope, ServiceKind.Surroundings around) throws IOException {
    MailboxService.Wired wired =
        MailboxService.wire(config, scope, limits(around), new Verifier(around.keys().trust()));
    return new ServiceKind.Wired(
        wired.supervisor().drainWithin(around.node().drain()), wired.door());
  }

  private static EdgeConfig edge(Section section, NodeConfig node) {
    return EdgeConfig.read(
        section, "127.0.0.1:" + node.port(EDGE_OFFSET), node.data().resolve("edge"));
  }

  private static ServiceKind.Wired edge(
      EdgeConfig config, Scope scope, ServiceKind.Surroundings around) throws IOException {
    EdgeService.Wired wired =
        EdgeService.wire(config, scope, limits(around), new Verifier(around.keys().trust()));
    return new ServiceKind.Wired(
        wired.supervisor().drainWithin(around.node().drain()), wired.door());
  }

  private static Limits limits(ServiceKind.Surroundings around) {
    return around.node().limits() == NodeConfig.LimitsProfile.OPEN ? Limits.OPEN : Limits.HARDENED;
  }
}
