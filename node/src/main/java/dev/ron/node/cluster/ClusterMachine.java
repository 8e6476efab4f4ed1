package dev.ron.node.cluster;

import java.util.regex.Pattern;

/**
 * One machine of a cluster: its name, and where the others reach it.
 *
 * <p>Threading: immutable.
 *
 * @param host a name or an address that its certificate is good for
 * @param basePort of its node; each port between machines has a place after it
 * @param serial of its newest certificate
 * @param drains it is about to leave: it leads nothing, and its copies go to others
 */
public record ClusterMachine(
    String name, String host, int basePort, String serial, boolean drains) {
  /** Places after the base port, behind those of the services and of the admin door. */
  public static final int MAILBOX_LOG = 20;

  public static final int NAMES_LOG = 21;
  public static final int OBJECTS = 22;
  public static final int BLOCKS = 23;
  public static final int GATEWAY = 24;
  public static final int MACHINES = 25;
  public static final int JOIN = 26;

  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,31}");
  private static final Pattern HOST = Pattern.compile("[A-Za-z0-9.:-]{1,253}");
  private static final int PORT_MAX = 65_535 - JOIN;

  ClusterMachine(String name, String host, int basePort, String serial) {
    this(name, host, basePort, serial, false);
  }

  public ClusterMachine {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "the machine's name '%s' is not lower case letters, digits and dashes, 32 at most"
              .formatted(name));
    }
    if (!HOST.matcher(host).matches()) {
      throw new IllegalArgumentException("'%s' is no host".formatted(host));
    }
    if (basePort < 1 || basePort > PORT_MAX) {
      throw new IllegalArgumentException(
          "a machine of a cluster needs a base port of 1 to %d, not %d"
              .formatted(PORT_MAX, basePort));
    }
  }

  /** Host and port of one of the places. */
  public String at(int place) {
    String literal = host.contains(":") ? "[" + host + "]" : host;
    return literal + ":" + (basePort + place);
  }

  ClusterMachine certified(String other) {
    return new ClusterMachine(name, host, basePort, other, drains);
  }

  ClusterMachine draining(boolean now) {
    return new ClusterMachine(name, host, basePort, serial, now);
  }
}
