package dev.ron.http.server.route;

import dev.ron.http.HttpFault;
import dev.ron.http.json.Schema;
import dev.ron.http.server.Inline;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Body;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.guard.MetricsReader;
import dev.ron.kernel.metric.TenantSeries;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Gate;
import dev.ron.kernel.time.Time;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /metrics}: a text that takes milliseconds to make, so it is made at most once a second
 * however often it is asked for.
 *
 * <p>The first request makes it, on a virtual thread; requests that come meanwhile wait for that
 * text. Of series that name a tenant's things a client sees those that its {@link MetricsReader}
 * may.
 *
 * <p>Threading: thread-safe; a round belongs to the thread that put it into {@code latest}, and is
 * read by others only after its gate has opened.
 */
public final class MetricsPage implements Inline {
  private static final String TYPE = "text/plain; version=0.0.4; charset=utf-8";
  private static final Duration FRESH = Duration.ofSeconds(1);

  /** A scrape that waits longer than this has failed anyway. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Time time;
  private final Supplier<String> text;
  private final TenantSeries series;
  private final AtomicReference<@Nullable Round> latest = new AtomicReference<>();

  /** One rendering of the text. */
  private static final class Round {
    final Gate made;
    private volatile @Nullable Instant at;
    private volatile @Nullable Answer answer;

    Round(Time time) {
      made = new Gate(time);
    }

    /** Over a second old, or failed. */
    boolean over(Instant now) {
      Instant finished = at;
      return made.isOpen()
          && (answer == null || finished == null || !now.isBefore(finished.plus(FRESH)));
    }
  }

  private MetricsPage(Time time, Supplier<String> text, TenantSeries series) {
    this.time = time;
    this.text = text;
    this.series = series;
  }

  /**
   * @param text makes the exposition
   * @param series which of its series are a tenant's
   */
  public static Route route(Time time, Supplier<String> text, TenantSeries series) {
    return route("/metrics", time, text, series);
  }

  static Route route(String path, Time time, Supplier<String> text, TenantSeries series) {
    return Route.of("GET", path, "metrics", new MetricsPage(time, text, series))
        .summary("Metrics in Prometheus text form.")
        .answers(200, "text/plain", Schema.TEXT)
        .answers(401, 403, 429)
        .asOperational();
  }

  @Override
  public void handle(Exchange exchange) {
    MetricsReader reader = MetricsReader.of(exchange);
    if (!reader.isOperator()) {
      exchange.block(_ -> seen(fresh(), reader.tenant()));
      return;
    }
    Round round = latest.get();
    Answer ready = round == null || round.over(time.now()) ? null : round.answer;
    if (ready != null) {
      exchange.answer(ready);
    } else {
      exchange.block(_ -> fresh());
    }
  }

  private Answer seen(Answer all, Optional<String> tenant) {
    if (!(all.body() instanceof Body.Bytes page)) {
      return all;
    }
    String text = series.of(new String(page.bytes(), StandardCharsets.UTF_8), tenant);
    return Answer.bytes(200, TYPE, text.getBytes(StandardCharsets.UTF_8));
  }

  Answer fresh() throws InterruptedException {
    Deadline deadline = Deadline.in(PATIENCE, time);
    while (true) {
      Round round = latest.get();
      if (round == null || round.over(time.now())) {
        var mine = new Round(time);
        if (latest.compareAndSet(round, mine)) {
          return make(mine);
        }
      } else if (round.made.await(deadline)) {
        Answer answer = round.answer;
        if (answer != null) {
          return answer;
        }
      } else {
        return Answer.problem(new HttpFault.Internal());
      }
    }
  }

  private Answer make(Round round) {
    try {
      Answer answer = Answer.bytes(200, TYPE, text.get().getBytes(StandardCharsets.UTF_8));
      round.answer = answer;
      round.at = time.now();
      return answer;
    } finally {
      round.made.open();
    }
  }
}
