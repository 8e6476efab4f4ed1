package dev.ron.node.trace;

import dev.ron.kernel.registry.RegistryJson;
import dev.ron.kernel.trace.Span;
import dev.ron.kernel.trace.TraceContext;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Spans as the body of an OTLP export, in its JSON encoding: ids in hex, 64-bit numbers as text.
 *
 * <p>Threading: stateless.
 */
final class OtlpJson {
  private static final long NANOS = 1_000_000_000L;
  private static final int ERROR = 2;

  private OtlpJson() {}

  /**
   * @param node the name of this node, which all its services share
   */
  static byte[] of(List<Span> spans, String node) {
    Map<String, List<Span>> byService =
        spans.stream()
            .collect(Collectors.groupingBy(Span::service, LinkedHashMap::new, Collectors.toList()));
    return byService.entrySet().stream()
        .map(each -> service(each.getKey(), each.getValue(), node))
        .collect(Collectors.joining(",", "{\"resourceSpans\":[", "]}"))
        .getBytes(StandardCharsets.UTF_8);
  }

  private static String service(String name, List<Span> spans, String node) {
    Map<String, Object> resource = new LinkedHashMap<>();
    resource.put("service.name", name);
    resource.put("service.namespace", "ron");
    resource.put("service.instance.id", node);
    return spans.stream()
        .map(OtlpJson::span)
        .collect(
            Collectors.joining(
                ",",
                "{\"resource\":{\"attributes\":"
                    + attributes(resource)
                    + "},\"scopeSpans\":[{\"scope\":{\"name\":\"dev.ron\"},\"spans\":[",
                "]}]}"));
  }

  private static String span(Span span) {
    TraceContext context = Objects.requireNonNull(span.context());
    HexFormat hex = HexFormat.of();
    var text = new StringBuilder(512);
    text.append("{\"traceId\":\"")
        .append(hex.toHexDigits(context.high()))
        .append(hex.toHexDigits(context.low()))
        .append("\",\"spanId\":\"")
        .append(hex.toHexDigits(context.spanId()))
        .append('"');
    if (span.parentId() != 0) {
      text.append(",\"parentSpanId\":\"").append(hex.toHexDigits(span.parentId())).append('"');
    }
    text.append(",\"name\":")
        .append(RegistryJson.quoted(span.name()))
        .append(",\"kind\":")
        .append(kind(span.kind()))
        .append(",\"startTimeUnixNano\":\"")
        .append(nanos(span.begun()))
        .append("\",\"endTimeUnixNano\":\"")
        .append(nanos(span.ended()))
        .append("\",\"attributes\":")
        .append(attributes(span.values()));
    String error = span.error();
    if (error != null) {
      text.append(",\"status\":{\"code\":")
          .append(ERROR)
          .append(",\"message\":")
          .append(RegistryJson.quoted(error))
          .append('}');
    }
    return text.append('}').toString();
  }

  private static int kind(Span.Kind kind) {
    return switch (kind) {
      case INTERNAL -> 1;
      case SERVER -> 2;
      case CLIENT -> 3;
    };
  }

  private static long nanos(Instant at) {
    return Math.addExact(Math.multiplyExact(at.getEpochSecond(), NANOS), at.getNano());
  }

  private static String attributes(Map<String, Object> values) {
    return values.entrySet().stream()
        .map(
            each ->
                "{\"key\":%s,\"value\":{%s}}"
                    .formatted(RegistryJson.quoted(each.getKey()), value(each.getValue())))
        .collect(Collectors.joining(",", "[", "]"));
  }

  private static String value(Object value) {
    return value instanceof Long number
        ? "\"intValue\":\"" + number + '"'
        : "\"stringValue\":" + RegistryJson.quoted(value.toString());
  }
}
