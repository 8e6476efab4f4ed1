package dev.ron.node;

import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.kernel.log.LogLine;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * {@code GET /logs?from=N}: the last lines of the node's log, oldest first.
 *
 * <p>Threading: immutable.
 */
record ShowLogs(RecentLog recent) implements Verb<Long, ShowLogs.Reply> {
  /**
   * @param next what to ask from for the lines that follow
   */
  record Reply(long next, List<Line> lines) {}

  /** One line of the log. */
  record Line(
      long number,
      String at,
      String level,
      String service,
      String event,
      Map<String, String> fields) {
    static Line of(RecentLog.Numbered numbered) {
      LogLine line = numbered.line();
      return new Line(
          numbered.number(),
          line.at().toString(),
          line.level().name().toLowerCase(Locale.ROOT),
          line.service(),
          line.event(),
          line.fields());
    }
  }

  @Override
  public Long parse(Exchange exchange) throws Refusal {
    String from = exchange.query().first("from");
    try {
      return from == null ? 0 : Long.parseLong(from);
    } catch (NumberFormatException notANumber) {
      throw Refusal.of(new HttpFault.Malformed("from: a line's number, from 0 on"));
    }
  }

  @Override
  public Reply handle(Long from) {
    long end = recent.next();
    List<Line> lines = recent.from(from).stream().map(Line::of).toList();
    return new Reply(lines.isEmpty() ? Math.min(from, end) : lines.getLast().number() + 1, lines);
  }
}
