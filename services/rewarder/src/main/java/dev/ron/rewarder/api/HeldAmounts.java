package dev.ron.rewarder.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.rewarder.artifact.AllocationReader;
import java.io.BufferedOutputStream;
import java.util.List;

/**
 * {@code GET /rewarder/epochs/{epoch}/held}: amounts that are held, as JSON lines.
 *
 * <p>Threading: immutable.
 */
record HeldAmounts(RewarderContext context) implements Verb<EpochName, RewarderContext.Shown> {
  /** One line of the answer, as {@link AllocationForm} writes it. */
  record Line(String actor, String heldMinor, List<String> reasons, String score) {}

  @Override
  public EpochName parse(Exchange exchange) throws Refusal {
    return EpochName.of(exchange);
  }

  @Override
  public RewarderContext.Shown handle(EpochName epoch) throws Refusal {
    return context.run(epoch);
  }

  @Override
  public Answer write(RewarderContext.Shown run) {
    return Answer.stream(
        200,
        Headers.of("Content-Type", "application/x-ndjson"),
        sink -> {
          var out = new BufferedOutputStream(sink, 64 << 10);
          try (AllocationReader lines = context.lines(run)) {
            lines.held(
                line -> {
                  out.write(AllocationForm.held(line).getBytes(UTF_8));
                  return true;
                });
          }
          out.flush();
          return new Headers(1);
        });
  }
}
