package dev.ron.tidy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The files that may break a rule, each with its reason: {@code rule | path | reason}.
 *
 * <p>Threading: immutable.
 */
public record Exemptions(List<Exemption> all) {
  private static final String TABLE = "exemptions.txt";

  /** One file that may break one rule. */
  public record Exemption(String rule, String path, String reason) {
    boolean covers(Finding finding) {
      return finding.rule().equals(rule) && finding.path().equals(path);
    }
  }

  /** The table that goes with this module. */
  public static Exemptions ofProject() {
    try (var table = Exemptions.class.getResourceAsStream(TABLE)) {
      if (table == null) {
        throw new IllegalStateException(TABLE + " is not beside its class");
      }
      return parse(new String(table.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Empty lines and lines that start with # say nothing; a line without a reason is refused. */
  public static Exemptions parse(String table) {
    var all = new ArrayList<Exemption>();
    for (String line : table.lines().toList()) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      String[] cells = line.split("\\|", 3);
      if (cells.length < 3 || cells[2].isBlank()) {
        throw new IllegalArgumentException("not `rule | path | reason`: " + line);
      }
      all.add(new Exemption(cells[0].strip(), cells[1].strip(), cells[2].strip()));
    }
    return new Exemptions(List.copyOf(all));
  }

  Optional<Exemption> covering(Finding finding) {
    return all.stream().filter(e -> e.covers(finding)).findFirst();
  }
}
