package dev.ron.kernel.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A line is one object in which no key comes twice, whatever its fields are called. */
final class LogLineTest {
  private static final Pattern KEY = Pattern.compile("\"([a-z_]+)\":");

  @Test
  void aFieldNeverHidesWhatEveryLineHas() {
    List<LogLine> lines = new ArrayList<>();
    var log = new Log("gateway", LogLine.Level.DEBUG, () -> Instant.EPOCH, lines::add);
    log.info("began", "event", 1, "event_", 2, "level", 3, "ts", 4, "service", 5, "more", 6);
    String json = lines.getFirst().json();
    assertThat(KEY.matcher(json).results().map(MatchResult::group).toList())
        .doesNotHaveDuplicates()
        .hasSize(10);
    assertThat(json)
        .contains("\"event\":\"began\"", "\"event_\":\"1\"", "\"event__\":\"2\"")
        .contains("\"level\":\"info\"", "\"level_\":\"3\"", "\"more\":\"6\"");
  }

  /** A second line would pass for an event of its own, and an escape moves the cursor. */
  @Test
  void aLineForATerminalIsOneLine() {
    String text = line("why", "no\nroute\r\t\u001b[2J\u009b1m\u202e\u2028 caf\u00e9").text();
    assertThat(text).endsWith("why=no\\nroute\\r\\t\\u001b[2J\\u009b1m\\u202e\\u2028 caf\u00e9");
  }

  @Test
  void valuesAreInTheWordsOfAnOperator() throws Exception {
    var loopback = InetAddress.getByAddress("here", new byte[] {127, 0, 0, 1});
    var six =
        InetAddress.getByAddress(
            "six", new byte[] {0x20, 1, 0xd, (byte) 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1});
    assertThat(
            line(
                    "sentence", new IOException("the disk is full"),
                    "silent", new IllegalStateException(),
                    "path", new NoSuchFileException("/a b"),
                    "reason", new FileSystemException("/a", null, "Too many open files"),
                    "host", new UnknownHostException("nowhere.test"),
                    "four", new InetSocketAddress(loopback, 8080),
                    "six", new InetSocketAddress(six, 8080),
                    "name", InetSocketAddress.createUnresolved("nowhere.test", 80),
                    "level", LogLine.Level.WARN)
                .fields())
        .containsExactly(
            Map.entry("sentence", "the disk is full"),
            Map.entry("silent", "IllegalStateException"),
            Map.entry("path", "NoSuchFileException: /a b"),
            Map.entry("reason", "/a: Too many open files"),
            Map.entry("host", "UnknownHostException: nowhere.test"),
            Map.entry("four", "127.0.0.1:8080"),
            Map.entry("six", "[2001:db8:0:0:0:0:0:1]:8080"),
            Map.entry("name", "nowhere.test:80"),
            Map.entry("level_", "warn"));
  }

  private static LogLine line(Object... fields) {
    List<LogLine> lines = new ArrayList<>();
    new Log("gateway", LogLine.Level.DEBUG, () -> Instant.EPOCH, lines::add).info("event", fields);
    return lines.getFirst();
  }
}
