package dev.ron.node.dashboard;

import dev.ron.capability.Grant;
import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import dev.ron.http.json.Schema;
import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * {@code GET /history?since=MILLIS}: rates and latencies of the last hour, oldest first.
 *
 * <p>It says no more than {@code /metrics} does, and like that asks for no capability; a tenant's
 * that is shown sees no other tenant.
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

  /**
   * @param tenant the only one that is shown; empty for all
   */
  public record Request(long since, Optional<String> tenant) {}

  @Override
  public Request parse(Exchange exchange) throws Refusal {
    String since = exchange.query().first("since");
    Grant grant = exchange.attachment(Grant.class);
    try {
      return new Request(
          since == null ? 0 : Long.parseLong(since),
          grant == null ? Optional.empty() : grant.tenant());
    } catch (NumberFormatException notANumber) {
      throw Refusal.of(new HttpFault.Malformed("since: milliseconds since 1970"));
    }
  }

  @Override
  public List<MetricsHistory.Row> handle(Request request) {
    List<MetricsHistory.Row> rows = history.since(request.since());
    return request.tenant().map(own -> rows.stream().map(row -> row.of(own)).toList()).orElse(rows);
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
