package dev.ron.rewarder.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.server.Answer;
import dev.ron.http.server.Blocking;
import dev.ron.http.server.Exchange;
import dev.ron.rewarder.core.Allocation;
import dev.ron.rewarder.core.BadLine;
import dev.ron.rewarder.core.Manifest;
import dev.ron.rewarder.core.MerkleProof;
import dev.ron.rewarder.disk.AllocationReader;
import dev.ron.rewarder.wire.AllocationForm;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /rewarder/epochs/{epoch}/allocations}, {@code /allocations/{actor}} and {@code /held}.
 *
 * <p>Threading: immutable.
 */
record Allocations(Desk desk) {
  private static final int PAGE_MAX = 1_000_000;
  private static final int PAGE_USUAL = 1000;

  /** A page, as JSON lines or as CSV; {@code Link: <...>; rel="next"} leads on. */
  Blocking page() {
    return exchange -> {
      Desk.Shown run = desk.run(exchange);
      long from = number(exchange, "from", 1, Long.MAX_VALUE);
      long limit = number(exchange, "limit", PAGE_USUAL, PAGE_MAX);
      boolean csv = csv(exchange);
      long lines = run.manifest().number("lines");
      var headers = Headers.of("Content-Type", csv ? "text/csv" : "application/x-ndjson");
      if (from + limit <= lines) {
        headers.add(
            "Link",
            "</rewarder/epochs/%s/allocations?from=%d&limit=%d%s>; rel=\"next\""
                .formatted(run.manifest().epoch(), from + limit, limit, csv ? "&format=csv" : ""));
      }
      return Answer.stream(
          200,
          headers,
          sink -> {
            write(run, from, limit, csv, sink);
            return new Headers(1);
          });
    };
  }

  private void write(Desk.Shown run, long from, long limit, boolean csv, OutputStream sink)
      throws IOException {
    var out = new BufferedOutputStream(sink, 64 << 10);
    if (csv) {
      out.write(AllocationForm.CSV_HEADER.getBytes(UTF_8));
    }
    long end = from + limit - 1;
    try (AllocationReader lines = desk.lines(run)) {
      lines.from(
          from,
          line -> {
            String text = csv ? AllocationForm.csv(line) : AllocationForm.json(line);
            out.write(text.getBytes(UTF_8));
            return line.line() < end;
          });
    }
    out.flush();
  }

  Blocking held() {
    return exchange -> {
      Desk.Shown run = desk.run(exchange);
      return Answer.stream(
          200,
          Headers.of("Content-Type", "application/x-ndjson"),
          sink -> {
            var out = new BufferedOutputStream(sink, 64 << 10);
            try (AllocationReader lines = desk.lines(run)) {
              lines.held(
                  line -> {
                    out.write(AllocationForm.held(line).getBytes(UTF_8));
                    return true;
                  });
            }
            out.flush();
            return new Headers(1);
          });
    };
  }

  /** One actor's line with its explanation and its proof. */
  Blocking one() {
    return exchange -> {
      Desk.Shown run = desk.run(exchange);
      String actor = exchange.param("actor");
      try (AllocationReader lines = desk.lines(run)) {
        Optional<AllocationReader.Proven> found = lines.find(actor);
        if (found.isPresent()) {
          return Answer.json(200, proven(run.manifest(), found.get()));
        }
        var held = new ArrayList<Allocation>();
        lines.held(
            line -> {
              if (line.actor().equals(actor)) {
                held.add(line);
              }
              return held.isEmpty();
            });
        if (held.isEmpty()) {
          throw Problems.unknown("line of that actor in epoch " + run.manifest().epoch());
        }
        return Answer.json(200, held(run.manifest(), held.getFirst()));
      }
    };
  }

  private String proven(Manifest manifest, AllocationReader.Proven found) throws IOException {
    Allocation line = found.allocation();
    Map<String, @Nullable Object> fields = AllocationForm.fields(line);
    fields.put("epoch", manifest.epoch());
    fields.put("root", manifest.text("root"));
    fields.put("explanation", explanation(manifest, line));
    var steps = new ArrayList<Object>();
    for (MerkleProof.Step step : found.proof().steps()) {
      steps.add(Map.of("side", step.left() ? "left" : "right", "hash", "b3:" + step.hash().hex()));
    }
    fields.put("proof", steps);
    return Desk.json(fields);
  }

  private String held(Manifest manifest, Allocation line) throws IOException {
    var fields = new LinkedHashMap<String, @Nullable Object>();
    fields.put("actor", line.actor());
    fields.put("epoch", manifest.epoch());
    fields.put("held_minor", line.amount().toString());
    fields.put("score", line.score().toString());
    fields.put("reasons", BadLine.codes(line.badLines()));
    fields.put("explanation", explanation(manifest, line));
    return Desk.json(fields);
  }

  private List<String> explanation(Manifest manifest, Allocation line) throws IOException {
    byte[] policy =
        desk.rewarder()
            .artifacts()
            .policy(manifest.runKey(), manifest.text("status").equals("dry-run"));
    return Explanation.of(manifest, policy, line);
  }

  private static boolean csv(Exchange exchange) throws Refusal {
    String format = exchange.query().first("format");
    if (format != null && !format.equals("csv") && !format.equals("ndjson")) {
      throw Problems.schema("format: must be csv or ndjson");
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
      throw Problems.schema(name + ": must be a whole number from 1 to " + max);
    }
    return Long.parseLong(text);
  }
}
