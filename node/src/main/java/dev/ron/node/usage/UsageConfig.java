package dev.ron.node.usage;

import dev.ron.config.Section;
import java.time.Duration;

/**
 * How often usage is sealed, and where seals go.
 *
 * @param storage empty for the storage of this node, if it runs one
 */
public record UsageConfig(Duration seal, String storage) {
  public UsageConfig {
    if (!storage.isEmpty() && !storage.matches("https?://.+")) {
      throw new IllegalArgumentException("storage = " + storage + " is no address of a storage");
    }
  }

  public static UsageConfig read(Section section) {
    return new UsageConfig(
        section
            .key("seal", "1h")
            .live()
            .doc("How often what tenants used is sealed; a span without use is not.")
            .duration("1s", "24h"),
        section
            .key("storage", "")
            .doc("Where accounting and seals are stored; empty for the storage of this node.")
            .text());
  }
}
