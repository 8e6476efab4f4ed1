package dev.ron.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.http.Headers;
import dev.ron.http.client.AddressPolicy;
import dev.ron.http.client.ClientAnswer;
import dev.ron.http.client.ClientRequest;
import dev.ron.http.client.HttpClient;
import dev.ron.http.client.HttpClientConfig;
import dev.ron.http.json.Json;
import dev.ron.http.json.JsonRead;
import dev.ron.kernel.Scope;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Gate;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A mailbox as a program uses it: send, receive, settle; and {@link #handle}, which keeps a message
 * for as long as the work on it goes on.
 *
 * <p>Threading: thread-safe; calls wait and belong on a thread of their own.
 */
public final class MailboxClient implements AutoCloseable {
  private static final int ANSWER_BYTES_MAX = 96 << 20;
  private static final Duration CALL_LIMIT = Duration.ofSeconds(10);

  /** A lease is extended when a third of it has passed, so that two extensions may fail. */
  private static final int EXTEND_PART = 3;

  private final Scope scope;
  private final HttpClient http;
  private final URI mailbox;
  private final String capability;
  private final Json json = Json.strict(ANSWER_BYTES_MAX);

  /**
   * @param mailbox such as {@code http://127.0.0.1:8082}
   * @param capability empty for none
   */
  public MailboxClient(Scope scope, URI mailbox, String capability) throws IOException {
    this.scope = scope;
    this.mailbox = mailbox;
    this.capability = capability;
    this.http = new HttpClient(scope, HttpClientConfig.standard().with(AddressPolicy.ANY));
  }

  /** What a send is told. */
  public record Sent(String msgId, boolean duplicate) {}

  private record Wish(String topic, long visibilityMs, int maxMessages, long waitMs) {}

  private record Word(
      String receipt,
      @Nullable String reason,
      @Nullable Long delayMs,
      @Nullable Long visibilityMs) {}

  private record Ok(boolean ok) {}

  /** Work on a message; an exception gives the message back. */
  @FunctionalInterface
  public interface Work {
    void on(Delivery delivery) throws Exception;
  }

  /** Returns when the message is durable; to be repeated with the same key if it fails. */
  public Sent send(String topic, String idemKey, byte[] payload)
      throws IOException, InterruptedException {
    String path = "/v1/send?topic=%s&idem_key=%s".formatted(escaped(topic), escaped(idemKey));
    return call(path, "application/octet-stream", payload, CALL_LIMIT, Sent.class);
  }

  private static String escaped(String text) {
    return URLEncoder.encode(text, UTF_8).replace("+", "%20");
  }

  /** What is there, or comes within the wait; maybe nothing. */
  public List<Delivery> receive(String topic, int max, Duration visibility, Duration wait)
      throws IOException, InterruptedException {
    var wish = new Wish(topic, visibility.toMillis(), max, wait.toMillis());
    Delivery.Batch batch = call("/v1/recv", wish, wait.plus(CALL_LIMIT), Delivery.Batch.class);
    return batch.messages();
  }

  public void ack(Delivery delivery) throws IOException, InterruptedException {
    settle("ack", delivery, null, null, null);
  }

  /** Gives it back; the mailbox draws how long it rests. */
  public void nack(Delivery delivery, String reason) throws IOException, InterruptedException {
    settle("nack", delivery, reason, null, null);
  }

  /** Keeps it so much longer, from now. */
  public void extend(Delivery delivery, Duration visibility)
      throws IOException, InterruptedException {
    settle("extend", delivery, null, null, visibility.toMillis());
  }

  private void settle(
      String verb,
      Delivery delivery,
      @Nullable String reason,
      @Nullable Long delayMillis,
      @Nullable Long visibilityMillis)
      throws IOException, InterruptedException {
    var word = new Word(delivery.receipt(), reason, delayMillis, visibilityMillis);
    call("/v1/" + verb + "/" + delivery.msgId(), word, CALL_LIMIT, Ok.class);
  }

  /**
   * Takes one message and works on it; its lease is extended while the work goes on. When the work
   * returns it is acknowledged, when it throws it is given back and the exception goes on.
   *
   * @return false if no message came within the wait
   */
  public boolean handle(String topic, Duration visibility, Duration wait, Work work)
      throws Exception {
    List<Delivery> got = receive(topic, 1, visibility, wait);
    if (got.isEmpty()) {
      return false;
    }
    Delivery delivery = got.getFirst();
    var done = new Gate(scope.time());
    scope.world().threads().start("mailbox-client/lease", () -> keep(delivery, visibility, done));
    try {
      work.on(delivery);
    } catch (Exception failed) {
      done.open();
      nack(delivery, String.valueOf(failed.getClass().getSimpleName()));
      throw failed;
    }
    done.open();
    ack(delivery);
    return true;
  }

  /** Ends with the work, or when the mailbox says that the lease is another's. */
  private void keep(Delivery delivery, Duration visibility, Gate done) {
    Duration pause = visibility.dividedBy(EXTEND_PART);
    try {
      while (!done.await(Deadline.in(pause, scope.time()))) {
        try {
          extend(delivery, visibility);
        } catch (MailboxRefusal refused) {
          if (refused.status() == 409 || refused.status() == 404) {
            return;
          }
        } catch (IOException unreachable) {
          scope.log().warn("lease-not-extended", "why", String.valueOf(unreachable.getMessage()));
        }
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  private <T> T call(String path, Object form, Duration limit, Class<T> type)
      throws IOException, InterruptedException {
    return call(path, "application/json", json.write(form), limit, type);
  }

  private <T> T call(String path, String contentType, byte[] body, Duration limit, Class<T> type)
      throws IOException, InterruptedException {
    Headers headers = Headers.of("Content-Type", contentType);
    if (!capability.isEmpty()) {
      headers.add("Authorization", "Bearer " + capability);
    }
    ClientRequest request = ClientRequest.of("POST", mailbox.resolve(path), headers, body);
    try (ClientAnswer answer = http.send(request, Deadline.in(limit, scope.time()))) {
      byte[] bytes = answer.collect(ANSWER_BYTES_MAX);
      if (answer.status() != 200) {
        throw new MailboxRefusal(answer.status(), new String(bytes, UTF_8));
      }
      return switch (json.read(bytes, type)) {
        case JsonRead.Value<T>(T value) -> Objects.requireNonNull(value);
        case JsonRead.Bad<T> bad ->
            throw new IOException("an answer that is none of a mailbox: " + bad.fault().detail());
      };
    }
  }

  @Override
  public void close() {
    http.close();
  }
}
