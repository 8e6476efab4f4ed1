package dev.ron.kernel.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
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
}
