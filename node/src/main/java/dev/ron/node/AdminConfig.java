package dev.ron.node;

import dev.ron.config.Section;
import dev.ron.config.WeakerValues;
import dev.ron.config.value.HostPort;
import java.net.InetAddress;

/**
 * Where the operator's own door is.
 *
 * @param open whether it may be reached from other machines, although it shows metrics and registry
 *     to each client
 */
public record AdminConfig(HostPort bind, boolean open) {
  public static final int PORT_OFFSET = 10;

  public AdminConfig {
    if (!open && !isLoopback(bind.host())) {
      throw new IllegalArgumentException(
          ("bind = %s can be reached from elsewhere, and the admin door shows metrics and "
                  + "registry without a capability; bind it to 127.0.0.1, or set open = true and danger_ok = true in [admin]")
              .formatted(bind));
    }
  }

  private static boolean isLoopback(String host) {
    try {
      return host.equals("localhost") || InetAddress.ofLiteral(host).isLoopbackAddress();
    } catch (IllegalArgumentException name) {
      return false; // what a name means can change
    }
  }

  static AdminConfig read(Section section, NodeConfig node) {
    return new AdminConfig(
        section
            .key("bind", "127.0.0.1:" + node.port(PORT_OFFSET))
            .doc("Health, metrics and the registry of the whole node.")
            .address(),
        section
            .key("open", false)
            .doc(
                "Lets the admin door be bound beyond loopback; metrics and registry need no capability.")
            .hardened(WeakerValues.OTHER)
            .bool());
  }
}
