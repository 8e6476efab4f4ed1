package dev.ron.rewarder.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.client.ServiceClient;
import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.rewarder.artifact.AllocationReader;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * {@code GET /rewarder/epochs/{epoch}/allocations}: a page of lines, as JSON lines or as CSV;
 * {@code Link: <...>; rel="next"} leads on.
 *
 * <p>Threading: immutable.
 */
record Allocations(RewarderContext context) implements Verb<Allocations.Request, Allocations.Page> {
  private static final int PAGE_MAX = 1_000_000;
  private static final int PAGE_USUAL = 1000;

  record Request(EpochName epoch, long from, long limit, boolean csv) {}

  record Page(RewarderContext.Shown run, long from, long limit, boolean csv) {
    boolean last() {
      return from + limit > run.manifest().number("lines");
    }
  }

  /** One line of the answer, as {@link AllocationForm} writes it. */
  record Line(String actor, String amountMinor, long line, String score) {}

  @Override
  public Request parse(Exchange exchange) throws Refusal {
    return new Request(
        EpochName.of(exchange),
        number(exchange, "from", 1, Long.MAX_VALUE),
        number(exchange, "limit", PAGE_USUAL, PAGE_MAX),
        csv(exchange));
  }

  @Override
  public Page handle(Request request) throws Refusal {
    return new Page(context.run(request.epoch()), request.from(), request.limit(), request.csv());
  }

  @Override
  public Answer write(Page page) {
    var headers = Headers.of("Content-Type", page.csv() ? "text/csv" : "application/x-ndjson");
    if (!page.last()) {
      headers.add(
          "Link",
          "</rewarder/epochs/%s/allocations?from=%d&limit=%d%s>; rel=\"next\""
              .formatted(
                  ServiceClient.escaped(page.run().epoch().toString()),
                  page.from() + page.limit(),
                  page.limit(),
                  page.csv() ? "&format=csv" : ""));
    }
    return Answer.stream(
        200,
        headers,
        sink -> {
          write(page, sink);
          return new Headers(1);
        });
  }

  private void write(Page page, OutputStream sink) throws IOException {
    var out = new BufferedOutputStream(sink, 64 << 10);
    if (page.csv()) {
      out.write(AllocationForm.CSV_HEADER.getBytes(UTF_8));
    }
    long end = page.from() + page.limit() - 1;
    try (AllocationReader lines = context.lines(page.run())) {
      lines.from(
          page.from(),
          line -> {
            String text = page.csv() ? AllocationForm.csv(line) : AllocationForm.json(line);
            out.write(text.getBytes(UTF_8));
            return line.line() < end;
          });
    }
    out.flush();
  }

  private static boolean csv(Exchange exchange) throws Refusal {
    String format = exchange.query().first("format");
    if (format != null && !format.equals("csv") && !format.equals("ndjson")) {
      throw RewarderContext.schema("format: must be csv or ndjson");
    }
    String accept = exchange.headers().first("Accept");
    return format != null ? format.equals("csv") : accept != null && accept.contains("text/csv");
  }

  private static long number(Exchange exchange, String name, long usual, long max) throws Refusal {
    String text = exchange.query().first(name);
    if (text == null) {
      return usual;
    }
    if (!text.matches("[0-9]{1,18}") || Long.parseLong(text) < 1 || Long.parseLong(text) > max) {
      throw RewarderContext.schema(name + ": must be a whole number from 1 to " + max);
    }
    return Long.parseLong(text);
  }
}
