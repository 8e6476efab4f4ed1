package dev.ron.testkit;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * One page's connection of the DevTools protocol: numbered calls with their answers, and events.
 *
 * <p>Threading: calls by the test's thread; answers and events arrive on the client's.
 */
final class DevTools implements WebSocket.Listener, AutoCloseable {
  private static final int ANSWER_SECONDS = 60;
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final Map<Integer, CompletableFuture<JsonNode>> waiting = new ConcurrentHashMap<>();
  private final List<String> complaints = new CopyOnWriteArrayList<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final AtomicInteger numbers = new AtomicInteger();
  private final StringBuilder partial = new StringBuilder();
  private @Nullable WebSocket socket;

  private DevTools() {}

  static DevTools connect(HttpClient http, String url) {
    var tools = new DevTools();
    tools.socket = http.newWebSocketBuilder().buildAsync(URI.create(url), tools).join();
    return tools;
  }

  JsonNode call(String method, String params) {
    int number = numbers.incrementAndGet();
    var answer = new CompletableFuture<JsonNode>();
    waiting.put(number, answer);
    String text = "{\"id\":%d,\"method\":\"%s\",\"params\":%s}".formatted(number, method, params);
    Objects.requireNonNull(socket).sendText(text, true).join();
    return answer.orTimeout(ANSWER_SECONDS, TimeUnit.SECONDS).join();
  }

  List<String> complaints() {
    return List.copyOf(complaints);
  }

  List<String> requests() {
    return List.copyOf(requests);
  }

  @Override
  public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence text, boolean last) {
    partial.append(text);
    if (last) {
      JsonNode message = JSON.readTree(partial.toString());
      partial.setLength(0);
      take(message);
    }
    from.request(1);
    return null;
  }

  private void take(JsonNode message) {
    CompletableFuture<JsonNode> answer =
        message.has("id") ? waiting.remove(message.get("id").asInt()) : null;
    if (answer == null) {
      event(message.path("method").asString(""), message.path("params"));
    } else if (message.has("error")) {
      answer.completeExceptionally(new AssertionError(message.get("error").toString()));
    } else {
      answer.complete(message.get("result"));
    }
  }

  private void event(String method, JsonNode params) {
    switch (method) {
      case "Network.requestWillBeSent" ->
          requests.add(params.path("request").path("url").asString(""));
      case "Runtime.exceptionThrown" -> complaints.add(params.toString());
      case "Log.entryAdded" -> {
        String level = params.path("entry").path("level").asString("");
        if (level.equals("error")) {
          complaints.add(params.get("entry").toString());
        }
      }
      case "Runtime.consoleAPICalled" -> {
        String type = params.path("type").asString("");
        if (type.equals("error") || type.equals("assert")) {
          complaints.add(params.path("args").toString());
        }
      }
      default -> {
        // not of interest
      }
    }
  }

  @Override
  public void close() {
    Objects.requireNonNull(socket).abort();
  }
}
