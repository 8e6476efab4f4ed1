package dev.ron.node;

import dev.ron.config.Section;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Settings of the process as a whole.
 *
 * @param basePort the gateway's port; the others follow it
 */
public record NodeConfig(
    Path data,
    int basePort,
    List<Service> services,
    LimitsProfile limits,
    LogForm log,
    List<String> hosts,
    Duration drain) {
  /** The services this process may run. */
  public enum Service {
    GATEWAY,
    EDGE,
    MAILBOX,
    STORAGE,
    REWARDER;

    /** As it is written in the configuration, in URLs and on the command line. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public NodeConfig {
    services = List.copyOf(services);
    hosts = List.copyOf(hosts);
  }

  /** How much load an instance takes. */
  enum LimitsProfile {
    HARDENED,
    OPEN
  }

  /** What a log line looks like. */
  public enum LogForm {
    /** Text on a terminal, JSON elsewhere. */
    AUTO,
    TEXT,
    JSON
  }

  static NodeConfig read(Section section) {
    return new NodeConfig(
        section.key("data", "./data").doc("Where everything durable lives.").path(),
        section
            .key("base_port", 8080)
            .doc(
                "The gateway's port; edge, mailbox, storage, rewarder, S3 and SQS follow,"
                    + " admin is 10 on, a cluster's own ports 20 to 26.")
            .integer(0, 65_000),
        section
            .key("services", Arrays.stream(Service.values()).map(Service::word).toList())
            .doc("What runs in this process; `ron mailbox` is `ron up` with that one alone.")
            .choices(Service.values()),
        section
            .key("limits", "hardened")
            .doc("`hardened`, or `open` for benchmarks and trusted networks: no rate cap.")
            .choice(LimitsProfile.values()),
        section
            .key("log", "auto")
            .doc("`text`, `json`, or `auto`: text on a terminal, JSON elsewhere.")
            .choice(LogForm.values()),
        section
            .key("hosts", List.of())
            .doc("Names, besides loopback's own, that a door on a loopback address answers to.")
            .texts(),
        section
            .key("drain", "3s")
            .doc(
                "How long a shutdown waits for requests in flight before it cuts them; tasks have"
                    + " as long again.")
            .duration("1s", "5s"));
  }

  public boolean runs(String service) {
    return services.stream().anyMatch(one -> one.word().equals(service));
  }

  /** Port 0 lets the system choose each port, for tests. */
  public int port(int offset) {
    return basePort == 0 ? 0 : basePort + offset;
  }
}
