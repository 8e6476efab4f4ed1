package dev.ron.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.testkit.Golden;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** {@code docs/concurrency/locks.md} names every lock of the product, read from the sources. */
final class LockTableTest {
  private static final Path ROOT = Path.of(System.getProperty("ron.root"));
  private static final Pattern PLAIN =
      Pattern.compile("(\\w+)\\s*=\\s*new (ReentrantLock|ReentrantReadWriteLock|StampedLock)\\b");
  private static final Pattern RANKED = Pattern.compile("new RankedLock\\(");
  private static final Pattern MONITOR = Pattern.compile("\\bsynchronized\\b");

  private static final String HEAD =
      """
      # Every lock of the product

      Written by `LockTableTest` from the sources; `-Dron.golden=write` writes it anew. A lock with a rank is taken
      in rising order, which `LockOrder` asserts in every test; the tables of the services have the ranks. Every
      other one is a leaf in its module: the compiler refuses code that takes a second lock while it is held
      (`LockWhileLocked`, [ADR 0061](../adr/0061-locks-are-leaves-or-ranked.md)). None is held across a call that can block (`BlockingWhileLocked`).

      | module | type | lock | kind |
      |---|---|---|---|
      """;

  @Test
  void everyLockIsInTheTable() throws IOException {
    var rows = new TreeSet<String>();
    for (SourceFile file : SourceTree.read(ROOT).mainJava()) {
      if (file.module().matches("kernel|node|(lib|services)/.*")) {
        rowsOf(file, rows);
      }
    }
    assertThat(rows).as("locks").hasSizeGreaterThan(40);
    Golden.matches("docs/concurrency/locks.md", HEAD + String.join("", rows));
  }

  private static void rowsOf(SourceFile file, Set<String> rows) {
    String type = file.fileName().replace(".java", "");
    Matcher plain = PLAIN.matcher(file.code());
    while (plain.find()) {
      String kind = type.equals("RankedLock") ? "of every ranked lock" : "leaf";
      rows.add(row(file, type, plain.group(1), kind));
    }
    if (RANKED.matcher(file.code()).find()) {
      rows.add(row(file, type, "`RankedLock`", "ranked"));
    }
    if (MONITOR.matcher(file.code()).find()) {
      rows.add(row(file, type, "its monitor", "leaf"));
    }
  }

  private static String row(SourceFile file, String type, String lock, String kind) {
    return "| "
        + String.join(" | ", List.of("`" + file.module() + "`", "`" + type + "`", lock, kind))
        + " |\n";
  }
}
