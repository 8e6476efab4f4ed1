package dev.ron.node.dashboard;

import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import dev.ron.http.json.Schema;
import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.guard.MetricsReader;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * {@code GET /history?since=MILLIS}: rates and latencies of the last hour, oldest first.
 *
 * <p>It says no more than {@code /metrics} does: of tenants what the capability is for that is
 * shown.
 *
 * <p>Threading: immutable.
 */
public record ShowHistory(MetricsHistory history)
    implements Verb<ShowHistory.Request, List<MetricsHistory.Row>> {
  /** As {@link HistoryPoint#json} writes it, by the name of a service or a tenant. */
  private static final Schema POINTS =
      Schema.map(Schema.list(new Schema(Map.of("type", List.of("number", "null")))));

  private static final Schema ROW =
      Schema.object(
          new TreeMap<>(Map.of("at", Schema.WHOLE, "services", POINTS, "tenants", POINTS)),
          List.of("at", "services", "tenants"));

  public static final Schema SCHEMA =
      Schema.object(
          new TreeMap<>(Map.of("period_ms", Schema.WHOLE, "rows", Schema.list(ROW))),
          List.of("period_ms", "rows"));

  public record Request(long since, MetricsReader reader) {}

  @Override
  public Request parse(Exchange exchange) throws Refusal {
    String since = exchange.query().first("since");
    try {
      return new Request(since == null ? 0 : Long.parseLong(since), MetricsReader.of(exchange));
    } catch (NumberFormatException notANumber) {
      throw Refusal.of(new HttpFault.Malformed("since: milliseconds since 1970"));
    }
  }

  @Override
  public List<MetricsHistory.Row> handle(Request request) {
    List<MetricsHistory.Row> rows = history.since(request.since());
    return request.reader().isOperator()
        ? rows
        : rows.stream().map(row -> row.of(request.reader().tenant())).toList();
  }

  @Override
  public Answer write(List<MetricsHistory.Row> rows) {
    return Answer.json(
        200,
        rows.stream()
            .map(MetricsHistory.Row::json)
            .collect(
                Collectors.joining(
                    ",",
                    "{\"period_ms\":" + MetricsHistory.PERIOD.toMillis() + ",\"rows\":[",
                    "]}")));
  }
}
