package dev.ron.storage.cluster.node;

import dev.ron.blake3.Address;
import dev.ron.blake3.CheckResult;
import dev.ron.http.json.Json;
import dev.ron.http.json.JsonRead;
import dev.ron.kernel.retry.Retry;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Time;
import dev.ron.storage.StorageFault;
import dev.ron.storage.object.ObjectStore;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Requests to one other node, each with an end.
 *
 * <p>Threading: thread-safe.
 */
public final class PeerClient {
  private static final int ANSWER_BYTES_MAX = 1 << 20;
  private static final int IN_MEMORY_BYTES = 1 << 20;

  /** A slower node is no use to a request that waits for it. */
  private static final long LEAST_BYTES_PER_SECOND = 1 << 20;

  private static final Duration PUT = Duration.ofSeconds(5);

  private final PeerWire wire;
  private final Time time;
  private final Retry retry;

  /** The node answered, and the answer was no. */
  static final class RefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    private final int status;

    RefusedException(int status, String words) {
      super(words);
      this.status = status;
    }

    int status() {
      return status;
    }

    /** What it means where something was to be stored. */
    ObjectStore.Written written() {
      String words = String.valueOf(getMessage());
      return switch (status) {
        case 429 -> new ObjectStore.Written.Refused(new StorageFault.Busy("a node's places", 0));
        case 507 -> new ObjectStore.Written.Refused(new StorageFault.Full(words));
        default -> new ObjectStore.Written.Refused(new StorageFault.Unavailable(words));
      };
    }
  }

  /**
   * @param retry of questions that may be asked twice
   */
  public PeerClient(PeerWire wire, Time time, Retry retry) {
    this.wire = wire;
    this.time = time;
    this.retry = retry;
  }

  public static String base(String url) {
    return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
  }

  String base() {
    return wire.base();
  }

  static Address address(String text) throws IOException {
    return switch (Address.parse(text)) {
      case CheckResult.Good<Address>(Address address) -> address;
      case CheckResult.Bad<Address>(var fault) ->
          throw new IOException("no address: " + fault.code());
    };
  }

  PeerWire.Reply get(String path, Duration limit) throws IOException, InterruptedException {
    return good(wire.send("GET", path, new byte[0], in(limit)));
  }

  PeerWire.Reply delete(String path, Duration limit) throws IOException, InterruptedException {
    return good(wire.send("DELETE", path, new byte[0], in(limit)));
  }

  void post(String path, Object body, Duration limit) throws IOException, InterruptedException {
    good(wire.send("POST", path, Json.plain().write(body), in(limit))).close();
  }

  /** Once: for what is asked again soon anyway. */
  <T> T json(String method, String path, @Nullable Object body, Duration limit, Class<T> type)
      throws IOException, InterruptedException {
    byte[] bytes = body == null ? new byte[0] : Json.plain().write(body);
    return read(good(wire.send(method, path, bytes, in(limit))), type);
  }

  /** What a node is asked and nothing changes by. */
  interface Question<T> {
    T ask() throws IOException, InterruptedException;
  }

  /** Asks again if the node is silent or busy; all tries together have the limit. */
  <T> T again(Duration limit, Question<T> question) throws IOException, InterruptedException {
    try {
      return in(limit)
          .earlier(Deadline.current())
          .call(() -> retry.call(question::ask, PeerClient::mayPass));
    } catch (IOException | InterruptedException | RuntimeException expected) {
      throw expected;
    } catch (Exception impossible) {
      throw new IllegalStateException("asking " + base(), impossible);
    }
  }

  private static boolean mayPass(Exception failure) {
    return failure instanceof RefusedException refused
        ? refused.status() == 429 || refused.status() == 503
        : failure instanceof IOException;
  }

  /** Small bodies go in one piece, others as they are read. */
  <T> T upload(String method, String path, InputStream in, long sizeBytes, Class<T> type)
      throws IOException, InterruptedException {
    Duration limit = putLimit(sizeBytes);
    if (sizeBytes >= 0 && sizeBytes <= IN_MEMORY_BYTES) {
      byte[] all = in.readNBytes((int) sizeBytes);
      return read(good(wire.send(method, path, all, in(limit))), type);
    }
    return read(good(wire.send(method, path, in, sizeBytes, in(limit))), type);
  }

  public static Duration putLimit(long sizeBytes) {
    return PUT.plusSeconds(Math.max(0, sizeBytes) / LEAST_BYTES_PER_SECOND);
  }

  private Deadline in(Duration limit) {
    return Deadline.in(limit, time).earlier(Deadline.current());
  }

  private static PeerWire.Reply good(PeerWire.Reply answer) throws IOException {
    if (answer.status() < 300) {
      return answer;
    }
    try (answer) {
      byte[] words = answer.collect(ANSWER_BYTES_MAX);
      throw new RefusedException(answer.status(), "%d %s".formatted(answer.status(), shown(words)));
    }
  }

  private static String shown(byte[] words) {
    String text = new String(words, java.nio.charset.StandardCharsets.UTF_8);
    return text.length() > 300 ? text.substring(0, 300) : text;
  }

  private static <T> T read(PeerWire.Reply answer, Class<T> type) throws IOException {
    try (answer) {
      return switch (Json.tolerant().read(answer.collect(ANSWER_BYTES_MAX), type)) {
        case JsonRead.Value<T>(T value) -> value;
        case JsonRead.Bad<T>(var fault) ->
            throw new IOException("an answer that is not understood: " + fault.detail());
      };
    }
  }
}
