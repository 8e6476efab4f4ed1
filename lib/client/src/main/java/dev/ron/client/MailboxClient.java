package dev.ron.client;

import static dev.ron.client.ServiceClient.escaped;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.http.Headers;
import dev.ron.http.HttpFault;
import dev.ron.http.json.Field;
import dev.ron.http.json.Fields;
import dev.ron.http.json.Form;
import dev.ron.http.json.Json;
import dev.ron.kernel.Scope;
import dev.ron.kernel.retry.Backoff;
import dev.ron.kernel.retry.Retry;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Gate;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A mailbox as a program uses it: send, receive, settle; and {@link #handle}, which keeps a message
 * for as long as the work on it goes on.
 *
 * <p>With connections of its own a send is repeated, which its key makes harmless; any other call
 * is tried once. Over a {@link ServiceClient} of the program's that one says what is repeated.
 *
 * <p>Threading: thread-safe; calls wait and belong on a thread of their own.
 */
public final class MailboxClient implements AutoCloseable {
  /** What one call takes at most. */
  public static final int BATCH_MAX = 100;

  private static final Duration CALL_LIMIT = Duration.ofSeconds(10);

  /** As the mailbox itself lets a message rest: 0 to 200 ms, then twice that. */
  private static final Backoff SEND_BACKOFF =
      new Backoff.FullJitter(Duration.ofMillis(200), Duration.ofSeconds(60));

  private static final int SEND_TRIES_MAX = 5;

  /** A lease is extended when a third of it has passed, so that two extensions may fail. */
  private static final int EXTEND_PART = 3;

  private static final Form RESULT =
      Form.of(
              HttpFault.Malformed::new,
              Field.text("msg_id").nullable(),
              Field.text("code").nullable(),
              Field.flag("duplicate").nullable())
          .open();
  private static final Form RESULTS =
      Form.of(HttpFault.Malformed::new, Field.objects("results", RESULT, BATCH_MAX)).open();

  private final ServiceClient service;
  private final ServiceClient sends;
  private final Scope scope;

  public MailboxClient(ServiceClient service) {
    this.service = service;
    this.sends = service;
    this.scope = service.scope();
  }

  /**
   * @param mailbox such as {@code http://127.0.0.1:8082}
   * @param capability empty for none
   */
  public MailboxClient(Scope scope, URI mailbox, String capability) throws IOException {
    this.service = ServiceClient.to(scope, "mailbox", mailbox, capability);
    this.sends =
        service.retrying(Retry.idempotent(scope, "mailbox-send", SEND_TRIES_MAX, SEND_BACKOFF));
    this.scope = scope;
  }

  /** What a send is told. */
  public record Sent(String msgId, boolean duplicate) {}

  /** One message of a batch. */
  public record Message(String topic, String idemKey, String payloadB64) {
    public static Message of(String topic, String idemKey, byte[] payload) {
      return new Message(topic, idemKey, Base64.getEncoder().encodeToString(payload));
    }
  }

  private record Messages(List<Message> messages) {}

  private record ReceiveBody(String topic, long visibilityMs, int maxMessages, long waitMs) {}

  private record Word(
      @Nullable String receipt,
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
    return send(topic, idemKey, "", Duration.ZERO, payload);
  }

  /**
   * @param group for fairness within the topic; empty for none
   * @param delay not ready before that
   */
  public Sent send(String topic, String idemKey, String group, Duration delay, byte[] payload)
      throws IOException, InterruptedException {
    String path =
        "/v1/send?topic=%s&idem_key=%s&delay_ms=%d%s"
            .formatted(
                escaped(topic),
                escaped(idemKey),
                delay.toMillis(),
                group.isEmpty() ? "" : "&group=" + escaped(group));
    Headers raw = Headers.of("Content-Type", "application/octet-stream");
    return sends.read("POST", path, raw, payload, CALL_LIMIT, Sent.class);
  }

  /**
   * Returns when all are durable.
   *
   * @throws IOException also if one of them was refused; to be repeated with the same keys
   */
  public List<Sent> sendAll(List<Message> messages, Duration limit)
      throws IOException, InterruptedException {
    byte[] form = Json.plain().write(new Messages(messages));
    byte[] answer = sends.bytes("POST", "/v1/send/batch", json(), form, limit);
    var all = new ArrayList<Sent>();
    for (Fields each : RESULTS.read(answer).objects("results")) {
      if (!each.has("msg_id")) {
        throw new IOException("the mailbox refused a message: " + each.textOrNull("code"));
      }
      all.add(new Sent(each.text("msg_id"), each.flag("duplicate")));
    }
    if (all.size() != messages.size()) {
      throw new IOException("the mailbox answered %d of %d".formatted(all.size(), messages.size()));
    }
    return all;
  }

  /**
   * What is there, or comes within the wait; maybe nothing.
   *
   * @throws IOException also if a message is not what its hashes say; its lease ends by itself
   */
  public List<Delivery> receive(String topic, int max, Duration visibility, Duration wait)
      throws IOException, InterruptedException {
    var body = new ReceiveBody(topic, visibility.toMillis(), max, wait.toMillis());
    List<Delivery> got =
        call("/v1/recv", body, wait.plus(CALL_LIMIT), Delivery.Batch.class).messages();
    for (Delivery each : got) {
      if (!each.intact()) {
        throw new IOException("message %s is not what its hashes say".formatted(each.msgId()));
      }
    }
    return got;
  }

  public void ack(Delivery delivery) throws IOException, InterruptedException {
    ack(delivery.msgId(), delivery.receipt());
  }

  /**
   * @param receipt null settles it without one
   */
  public void ack(String msgId, @Nullable String receipt) throws IOException, InterruptedException {
    settle("ack", msgId, new Word(receipt, null, null, null));
  }

  /** Gives it back; the mailbox draws how long it rests. */
  public void nack(Delivery delivery, String reason) throws IOException, InterruptedException {
    nack(delivery.msgId(), delivery.receipt(), reason, null);
  }

  /**
   * @param delay how long it rests; drawn by the mailbox if null
   */
  public void nack(
      String msgId, @Nullable String receipt, @Nullable String reason, @Nullable Duration delay)
      throws IOException, InterruptedException {
    Long delayMillis = delay == null ? null : delay.toMillis();
    settle("nack", msgId, new Word(receipt, reason, delayMillis, null));
  }

  /** Keeps it so much longer, from now. */
  public void extend(Delivery delivery, Duration visibility)
      throws IOException, InterruptedException {
    settle(
        "extend",
        delivery.msgId(),
        new Word(delivery.receipt(), null, null, visibility.toMillis()));
  }

  private void settle(String verb, String msgId, Word word)
      throws IOException, InterruptedException {
    call("/v1/" + verb + "/" + escaped(msgId), word, CALL_LIMIT, Ok.class);
  }

  /** Any other operation of the mailbox: its answer as it came. */
  public String call(String method, String path, byte[] form, Duration limit)
      throws IOException, InterruptedException {
    return new String(service.bytes(method, path, json(), form, limit), UTF_8);
  }

  private static Headers json() {
    return Headers.of("Content-Type", "application/json");
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
        } catch (ServiceRefusal refused) {
          if (refused.status() == 409 || refused.status() == 404) {
            return;
          }
        } catch (IOException unreachable) {
          scope.log().warn("lease-not-extended", "why", unreachable);
        }
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  private <T> T call(String path, Object form, Duration limit, Class<T> type)
      throws IOException, InterruptedException {
    return service.read("POST", path, json(), Json.plain().write(form), limit, type);
  }

  @Override
  public void close() {
    service.close();
  }
}
