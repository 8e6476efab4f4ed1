package dev.ron.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.log.LogLine;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RecentLogTest {
  private final RecentLog log = new RecentLog();

  private void write(int lines) {
    write(lines, "event");
  }

  private void write(int lines, String event) {
    for (int i = 0; i < lines; i++) {
      log.accept(new LogLine(Instant.EPOCH, LogLine.Level.INFO, "test", event, Map.of()));
    }
  }

  private List<Long> from(long number) {
    return log.from(number).stream().map(RecentLog.Numbered::number).toList();
  }

  @Test
  void aReaderGoesOnWhereItStopped() {
    assertThat(from(0)).isEmpty();
    write(3);
    assertThat(from(0)).containsExactly(0L, 1L, 2L);
    write(2);
    assertThat(from(3)).containsExactly(3L, 4L);
    assertThat(from(5)).isEmpty();
    assertThat(from(6)).as("of another start").containsExactly(0L, 1L, 2L, 3L, 4L);
    assertThat(from(Long.MAX_VALUE)).hasSize(5);
  }

  @Test
  void aReaderOfAnotherStartBeginsAnew() {
    var logs = new ShowLogs(log);
    assertThat(logs.handle(9L).next()).isZero();
    write(3);
    assertThat(logs.handle(9L).lines()).hasSize(3);
    assertThat(logs.handle(9L).next()).isEqualTo(3);
    assertThat(logs.handle(3L).next()).isEqualTo(3);
  }

  /** Also where the second start has written more by then than the first had. */
  @Test
  void aReaderOfAnEarlierStartMissesNoLine() {
    RecentLog first = RecentLog.since(Instant.EPOCH.plusSeconds(1));
    first.accept(new LogLine(Instant.EPOCH, LogLine.Level.INFO, "test", "event", Map.of()));
    long next = new ShowLogs(first).handle(0L).next();
    RecentLog second = RecentLog.since(Instant.EPOCH.plusSeconds(2));
    var logs = new ShowLogs(second);
    assertThat(logs.handle(next).next()).isEqualTo(next);
    for (int i = 0; i < 5; i++) {
      second.accept(new LogLine(Instant.EPOCH, LogLine.Level.INFO, "test", "event", Map.of()));
    }
    ShowLogs.Reply told = logs.handle(next);
    assertThat(told.lines()).hasSize(5);
    assertThat(logs.handle(told.next()).lines()).isEmpty();
  }

  @Test
  void theOldestGoFirst() {
    write(RecentLog.LINES_MAX + 10);
    assertThat(from(0)).hasSize(RecentLog.LINES_MAX).startsWith(10L).endsWith(1033L);
  }

  @Test
  void requestsDoNotPushEventsOut() {
    write(2);
    write(5 * RecentLog.LINES_MAX, "request");
    write(1);
    assertThat(from(0)).hasSize(RecentLog.LINES_MAX + 3).startsWith(0L, 1L).isSorted();
    assertThat(from(5 * RecentLog.LINES_MAX + 2L)).hasSize(1);
  }

  @Test
  void anyNumberMayBeAskedFor() {
    write(2);
    assertThat(from(-1)).containsExactly(0L, 1L);
  }
}
