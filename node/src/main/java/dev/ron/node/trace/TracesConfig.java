package dev.ron.node.trace;

import dev.ron.config.Section;
import dev.ron.config.value.Secret;
import dev.ron.http.FieldText;
import dev.ron.http.Headers;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Whether and where spans are sent.
 *
 * @param endpoint of the collector, such as {@code http://127.0.0.1:4318}; empty for no traces
 * @param sample share of the traces that begin here
 * @param headers fields that every export carries; secrets, as they often hold a token
 */
public record TracesConfig(
    String endpoint, double sample, List<Secret> headers, int queueSpansMax) {
  private static final String PATH = "/v1/traces";

  public TracesConfig {
    headers = List.copyOf(headers);
    if (!endpoint.isEmpty() && !endpoint.matches("https?://[^/?#@]+(/[^?#]*)?")) {
      throw new IllegalArgumentException(
          "endpoint = " + endpoint + " is no http or https address of a collector");
    }
  }

  public static TracesConfig read(Section section) {
    String endpoint =
        section
            .key("endpoint", "")
            .doc(
                "Where spans go by OTLP over HTTP, such as `http://127.0.0.1:4318`; empty for no"
                    + " traces.")
            .text();
    double sample =
        section
            .key("sample", "1")
            .doc("The share of traces that begin here which is recorded; a caller's choice holds.")
            .decimal("0", "1")
            .doubleValue();
    Secret header =
        section
            .key("header", "")
            .doc("A field that every export carries, such as `Authorization: Bearer ...`.")
            .secret();
    Optional<Path> file =
        section
            .key("headers_file", "")
            .doc("More such fields, one on each line; read at start.")
            .pathOrNothing();
    int queue =
        section
            .key("queue_spans_max", 4096)
            .doc("Spans that wait for the collector; what does not fit is dropped and counted.")
            .integer(64, 65_536);
    return new TracesConfig(endpoint, sample, fields(header, file), queue);
  }

  public boolean isOn() {
    return !endpoint.isEmpty();
  }

  /** An address without a path is a collector's own, which has one for traces. */
  URI uri() {
    URI uri = URI.create(endpoint);
    String path = uri.getRawPath();
    return path == null || path.isEmpty() || path.equals("/")
        ? URI.create(endpoint.replaceAll("/$", "") + PATH)
        : uri;
  }

  Headers fields() {
    var all = new Headers(headers.size() + 2);
    for (Secret each : headers) {
      int colon = each.reveal().indexOf(':');
      all.add(
          each.reveal().substring(0, colon).strip(), each.reveal().substring(colon + 1).strip());
    }
    return all;
  }

  private static List<Secret> fields(Secret one, Optional<Path> file) {
    List<String> lines = file.map(TracesConfig::lines).orElse(List.of());
    return Stream.concat(Stream.of(one.reveal()), lines.stream())
        .map(String::strip)
        .filter(line -> !line.isEmpty() && !line.startsWith("#"))
        .map(TracesConfig::checked)
        .toList();
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException unread) {
      throw new IllegalArgumentException("headers_file = " + file + " cannot be read", unread);
    }
  }

  /** The message names no value: it may be a token. */
  private static Secret checked(String line) {
    int colon = line.indexOf(':');
    boolean sound =
        colon > 0
            && FieldText.isToken(line.substring(0, colon).strip())
            && line.chars().allMatch(c -> c >= ' ' && c <= '~');
    if (!sound) {
      throw new IllegalArgumentException(
          "header, or a line of headers_file, is not of the form `Name: value`");
    }
    return new Secret(line);
  }
}
