package dev.ron.node;

import dev.ron.capability.RevocationFile;
import dev.ron.capability.Verifier;
import dev.ron.config.Section;
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
  private static final int MAILBOX_OFFSET = 2;

  private Services() {}

  static List<ServiceKind<?>> all() {
    return List.of(
        new ServiceKind<>("mailbox", MAILBOX_OFFSET, Services::mailbox, Services::mailbox));
  }

  private static MailboxConfig mailbox(Section section, NodeConfig node) {
    return MailboxConfig.read(
        section, "127.0.0.1:" + node.port(MAILBOX_OFFSET), node.data().resolve("mailbox"));
  }

  private static ServiceKind.Wired mailbox(
      MailboxConfig config, Scope scope, ServiceKind.Surroundings around) throws IOException {
    Limits limits =
        around.node().limits() == NodeConfig.LimitsProfile.OPEN ? Limits.OPEN : Limits.HARDENED;
    MailboxService.Wired wired =
        MailboxService.wire(
            config,
            scope,
            limits,
            new Verifier(around.keys().trust()),
            () -> RevocationFile.read(NodeKeys.revocations(around.node().data())));
    return new ServiceKind.Wired(
        wired.supervisor().drainWithin(around.node().drain()), wired.door());
  }
}
