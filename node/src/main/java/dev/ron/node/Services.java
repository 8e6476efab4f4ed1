package dev.ron.node;

import dev.ron.capability.Caveat;
import dev.ron.capability.Verifier;
import dev.ron.config.Section;
import dev.ron.http.server.Limits;
import dev.ron.kernel.Scope;
import dev.ron.mailbox.MailboxConfig;
import dev.ron.mailbox.MailboxService;
import dev.ron.rewarder.RewarderConfig;
import dev.ron.rewarder.RewarderService;
import java.io.IOException;
import java.util.List;

/**
 * The services of this build, in the order they start: whoever is called stands before the caller.
 *
 * <p>A new service is one line here.
 */
final class Services {
  private static final int MAILBOX_OFFSET = 2;
  private static final int STORAGE_OFFSET = 3;
  private static final int REWARDER_OFFSET = 4;

  private Services() {}

  static List<ServiceKind<?>> all() {
    return List.of(
        new ServiceKind<>("mailbox", MAILBOX_OFFSET, Services::mailbox, Services::mailbox),
        new ServiceKind<>("rewarder", REWARDER_OFFSET, Services::rewarder, Services::rewarder));
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
        MailboxService.wire(config, scope, limits, new Verifier(around.keys().trust()));
    return new ServiceKind.Wired(
        wired.supervisor().drainWithin(around.node().drain()), wired.door());
  }

  private static RewarderConfig rewarder(Section section, NodeConfig node) {
    return RewarderConfig.read(
        section,
        "127.0.0.1:" + node.port(REWARDER_OFFSET),
        node.data().resolve("rewarder"),
        "http://127.0.0.1:" + node.port(STORAGE_OFFSET));
  }

  private static ServiceKind.Wired rewarder(
      RewarderConfig config, Scope scope, ServiceKind.Surroundings around) throws IOException {
    Limits limits =
        around.node().limits() == NodeConfig.LimitsProfile.OPEN ? Limits.OPEN : Limits.HARDENED;
    RewarderService.Wired wired =
        RewarderService.wire(
            config.orCapabilities(
                around.keys().mint(List.of(Caveat.parse("service = storage"))),
                around.keys().mint(List.of(Caveat.parse("service = mailbox")))),
            scope,
            limits,
            new Verifier(around.keys().trust()));
    return new ServiceKind.Wired(
        wired.supervisor().drainWithin(around.node().drain()), wired.door());
  }
}
