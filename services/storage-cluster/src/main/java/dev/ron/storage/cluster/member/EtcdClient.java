package dev.ron.storage.cluster.member;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.http.Headers;
import dev.ron.http.client.ClientAnswer;
import dev.ron.http.client.ClientRequest;
import dev.ron.http.client.HttpClient;
import dev.ron.http.json.Json;
import dev.ron.http.json.JsonRead;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Time;
import dev.ron.storage.cluster.StorageClusterConfig;
import dev.ron.storage.cluster.node.PeerClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The few things that are asked of an etcd, over the JSON face that every etcd has.
 *
 * <p>Answers are read leniently: another version may say more.
 *
 * <p>Threading: thread-safe; which endpoint is asked first is a volatile that follows failures.
 */
public final class EtcdClient {
  private static final Duration QUICK = Duration.ofSeconds(2);
  private static final int ANSWER_BYTES_MAX = 4 << 20;
  private static final Json JSON = Json.strict(1 << 20);

  private final HttpClient http;
  private final StorageClusterConfig.Etcd config;
  private final Time time;
  private volatile int first;

  public EtcdClient(HttpClient http, StorageClusterConfig.Etcd config, Time time) {
    this.http = http;
    this.config = config;
    this.time = time;
  }

  /**
   * What was listed.
   *
   * @param values by what follows the prefix
   */
  record Listing(long revision, Map<String, byte[]> values) {}

  /** A lease of so long, by its number. */
  long grant() throws IOException, InterruptedException {
    Map<?, ?> answer =
        ask("/v3/lease/grant", Map.of("TTL", Long.toString(config.etcdTtl().toSeconds())));
    return number(answer.get("ID"));
  }

  /** False if the lease has ended. */
  boolean keepAlive(long lease) throws IOException, InterruptedException {
    Map<?, ?> answer = ask("/v3/lease/keepalive", Map.of("ID", Long.toString(lease)));
    return number(table(answer.get("result")).get("TTL")) > 0;
  }

  void put(String name, byte[] value, long lease) throws IOException, InterruptedException {
    ask(
        "/v3/kv/put",
        Map.of(
            "key", encoded(config.etcdPrefix() + name),
            "value", Base64.getEncoder().encodeToString(value),
            "lease", Long.toString(lease)));
  }

  Listing list() throws IOException, InterruptedException {
    Map<?, ?> answer = ask("/v3/kv/range", range());
    var values = new TreeMap<String, byte[]>();
    if (answer.get("kvs") instanceof List<?> entries) {
      for (Object each : entries) {
        Map<?, ?> entry = table(each);
        String key = new String(decoded(entry.get("key")), UTF_8);
        values.put(key.substring(config.etcdPrefix().length()), decoded(entry.get("value")));
      }
    }
    return new Listing(number(table(answer.get("header")).get("revision")), values);
  }

  /** Waits until something under the prefix changes after a revision, but for no longer. */
  void awaitChange(long revision, Duration atMost) throws IOException, InterruptedException {
    Map<String, Object> watched = new TreeMap<>(range());
    watched.put("start_revision", Long.toString(revision + 1));
    byte[] body = JSON.write(Map.of("create_request", watched));
    Deadline end = Deadline.in(atMost, time);
    try (ClientAnswer answer = http.send(request(first, "/v3/watch", body), end)) {
      for (String line = line(answer); line != null; line = line(answer)) {
        // The first line says only that the watch is there.
        if (read(line.getBytes(UTF_8)).get("result") instanceof Map<?, ?> result
            && (result.containsKey("events") || result.containsKey("canceled"))) {
          return;
        }
      }
    } catch (IOException e) {
      if (!end.passed(time.now())) {
        throw e;
      }
    }
  }

  private static @Nullable String line(ClientAnswer answer) throws IOException {
    var line = new ByteArrayOutputStream();
    for (int next = answer.read(); next >= 0; next = answer.read()) {
      if (next == '\n') {
        return line.toString(UTF_8);
      }
      line.write(next);
      if (line.size() > ANSWER_BYTES_MAX) {
        throw new IOException("etcd tells of more at once than is read");
      }
    }
    return null;
  }

  private Map<String, Object> range() {
    String prefix = config.etcdPrefix();
    char last = prefix.charAt(prefix.length() - 1);
    String end = prefix.substring(0, prefix.length() - 1) + (char) (last + 1);
    return Map.of("key", encoded(prefix), "range_end", encoded(end));
  }

  /** Asks one endpoint after the other. */
  private Map<?, ?> ask(String path, Map<String, ?> question)
      throws IOException, InterruptedException {
    byte[] body = JSON.write(question);
    IOException trouble = new IOException("no endpoint");
    int begun = first;
    for (int i = 0; i < config.etcd().size(); i++) {
      int at = (begun + i) % config.etcd().size();
      try (ClientAnswer answer = http.send(request(at, path, body), Deadline.in(QUICK, time))) {
        byte[] words = answer.collect(ANSWER_BYTES_MAX);
        if (answer.status() != 200) {
          throw new IOException(
              "%s answers %d: %s"
                  .formatted(config.etcd().get(at), answer.status(), new String(words, UTF_8)));
        }
        first = at;
        return read(words);
      } catch (IOException e) {
        trouble = e;
      }
    }
    throw trouble;
  }

  private ClientRequest request(int endpoint, String path, byte[] body) {
    URI uri = URI.create(PeerClient.base(config.etcd().get(endpoint)) + path);
    return ClientRequest.of("POST", uri, new Headers(1), body);
  }

  private static Map<?, ?> read(byte[] words) throws IOException {
    JsonRead<?> read = JSON.read(words, Map.class);
    if (read instanceof JsonRead.Value<?>(Map<?, ?> table)) {
      return table;
    }
    throw new IOException("etcd said what is no table: " + read);
  }

  private static Map<?, ?> table(@Nullable Object value) throws IOException {
    if (value instanceof Map<?, ?> table) {
      return table;
    }
    throw new IOException("etcd said " + value + " where a table was expected");
  }

  /** A number, which is told as text; one that is not told is 0. */
  private static long number(@Nullable Object value) throws IOException {
    try {
      return value == null ? 0 : Long.parseLong(value.toString());
    } catch (NumberFormatException e) {
      throw new IOException("etcd said " + value + " where a number was expected", e);
    }
  }

  private static String encoded(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }

  private static byte[] decoded(@Nullable Object value) throws IOException {
    try {
      return value == null ? new byte[0] : Base64.getDecoder().decode(value.toString());
    } catch (IllegalArgumentException e) {
      throw new IOException("etcd said what is no base64", e);
    }
  }
}
