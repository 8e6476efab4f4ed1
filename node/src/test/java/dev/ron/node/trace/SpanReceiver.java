package dev.ron.node.trace;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.ron.kernel.time.SystemTime;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * A collector on a real socket that reads what it is sent strictly: an unknown field, an id of
 * another length or a number that is not text is a breach.
 *
 * <p>Threading: one virtual thread for each request; what was heard may be read anywhere.
 */
final class SpanReceiver implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final JsonMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build())
          .build();

  private final HttpServer server;
  private final AtomicReference<Mood> mood = new AtomicReference<>(Mood.TAKES);
  private final List<Told> spans = new CopyOnWriteArrayList<>();
  private final List<String> bodies = new CopyOnWriteArrayList<>();
  private final List<String> fields = new CopyOnWriteArrayList<>();
  private final List<String> breaches = new CopyOnWriteArrayList<>();
  private final CountDownLatch closed = new CountDownLatch(1);

  /** How it answers. */
  enum Mood {
    TAKES,
    SAYS_LATER,
    REFUSES,
    TAKES_HALF,
    HANGS
  }

  /** One span, as it was told. */
  record Told(
      String service,
      String trace,
      String id,
      String parent,
      String name,
      long kind,
      long begun,
      long ended,
      Map<String, Object> values) {}

  SpanReceiver() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::take);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  void mood(Mood next) {
    mood.set(next);
  }

  List<Told> spans() {
    return List.copyOf(spans);
  }

  List<String> bodies() {
    return List.copyOf(bodies);
  }

  List<String> fields() {
    return List.copyOf(fields);
  }

  List<String> breaches() {
    return List.copyOf(breaches);
  }

  /** The spans of a trace, once they are as many as that says; fails after half a minute. */
  List<Told> await(String trace, Predicate<List<Told>> complete) throws InterruptedException {
    var time = new SystemTime();
    var end = time.now().plus(PATIENCE);
    while (true) {
      List<Told> its = spans.stream().filter(span -> span.trace().equals(trace)).toList();
      if (complete.test(its)) {
        return its;
      }
      if (time.now().isAfter(end)) {
        throw new AssertionError("of " + trace + " came only " + its + "; " + breaches);
      }
      time.sleepUntil(time.now().plusMillis(20));
    }
  }

  private void take(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    bodies.add(new String(body, UTF_8));
    exchange.getRequestHeaders().forEach((name, values) -> fields.add(name + ": " + values));
    if (!exchange.getRequestMethod().equals("POST")
        || !exchange.getRequestURI().getPath().equals("/v1/traces")
        || !"application/json".equals(exchange.getRequestHeaders().getFirst("Content-Type"))) {
      breaches.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
    }
    switch (mood.get()) {
      case TAKES -> {
        read(body);
        answer(exchange, 200, "{}");
      }
      case TAKES_HALF -> {
        read(body);
        answer(exchange, 200, "{\"partialSuccess\":{\"rejectedSpans\":\"1\"}}");
      }
      case SAYS_LATER -> {
        exchange.getResponseHeaders().add("Retry-After", "1");
        answer(exchange, 429, "");
      }
      case REFUSES -> answer(exchange, 400, "{\"message\":\"no\"}");
      case HANGS -> {
        try {
          var _ = closed.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException stop) {
          Thread.currentThread().interrupt();
        }
        exchange.close();
      }
    }
  }

  private static void answer(HttpExchange exchange, int status, String text) throws IOException {
    byte[] bytes = text.getBytes(UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private void read(byte[] body) {
    try {
      Map<?, ?> export = JSON.readValue(body, Map.class);
      only(export, "resourceSpans");
      for (Map<?, ?> resource : list(export, "resourceSpans")) {
        only(resource, "resource", "scopeSpans");
        Map<String, Object> of = attributes((Map<?, ?>) resource.get("resource"));
        for (Map<?, ?> scope : list(resource, "scopeSpans")) {
          only(scope, "scope", "spans");
          for (Map<?, ?> span : list(scope, "spans")) {
            spans.add(span(of.get("service.name").toString(), span));
          }
        }
      }
    } catch (RuntimeException wrong) {
      breaches.add(wrong.getMessage() + " in " + new String(body, UTF_8));
    }
  }

  private static Told span(String service, Map<?, ?> span) {
    only(
        span,
        "traceId",
        "spanId",
        "parentSpanId",
        "name",
        "kind",
        "startTimeUnixNano",
        "endTimeUnixNano",
        "attributes",
        "status");
    return new Told(
        service,
        hex(span.get("traceId"), 32),
        hex(span.get("spanId"), 16),
        span.containsKey("parentSpanId") ? hex(span.get("parentSpanId"), 16) : "",
        (String) span.get("name"),
        ((Number) span.get("kind")).longValue(),
        Long.parseLong((String) span.get("startTimeUnixNano")),
        Long.parseLong((String) span.get("endTimeUnixNano")),
        attributes(span));
  }

  private static String hex(Object id, int digits) {
    if (!(id instanceof String text)
        || !text.matches("[0-9a-f]{" + digits + "}")
        || text.matches("0+")) {
      throw new IllegalArgumentException("an id: " + id);
    }
    return text;
  }

  private static Map<String, Object> attributes(Map<?, ?> of) {
    Map<String, Object> all = new LinkedHashMap<>();
    for (Map<?, ?> each : list(of, "attributes")) {
      only(each, "key", "value");
      var value = (Map<?, ?>) each.get("value");
      Object text = value.get("stringValue");
      Object one = text != null ? text : Long.valueOf((String) value.get("intValue"));
      if (value.size() != 1 || all.put((String) each.get("key"), one) != null) {
        throw new IllegalArgumentException("an attribute: " + each);
      }
    }
    return all;
  }

  @SuppressWarnings("unchecked") // a tree of JSON has no other lists here
  private static List<Map<?, ?>> list(Map<?, ?> of, String name) {
    return (List<Map<?, ?>>) of.get(name);
  }

  private static void only(Map<?, ?> object, String... names) {
    Set<Object> others = new HashSet<>(object.keySet());
    others.removeAll(Set.of(names));
    if (!others.isEmpty()) {
      throw new IllegalArgumentException("unknown fields " + others);
    }
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
  }
}
