package dev.ron.node;

import dev.ron.config.Address;
import dev.ron.config.Section;

/** Where the operator's own door is. */
record AdminConfig(Address bind) {
  static final int PORT_OFFSET = 10;

  static AdminConfig read(Section section, NodeConfig node) {
    return new AdminConfig(
        section
            .key("bind", "127.0.0.1:" + node.port(PORT_OFFSET))
            .doc("Health, metrics and the registry of the whole node.")
            .address());
  }
}
