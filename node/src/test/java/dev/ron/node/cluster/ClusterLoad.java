package dev.ron.node.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.http.json.JsonTree;
import dev.ron.node.cluster.ClusterLedger.Work;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Clients of a cluster, each asking one machine until that one fails it and then the next; all that
 * they are granted stands in one ledger.
 *
 * <p>Threading: a virtual thread for each client; started and ended by the test.
 */
final class ClusterLoad implements AutoCloseable {
  static final String TOPIC = "t";
  static final String QUEUE = "q.fifo";
  static final String BUCKET = "photos";
  private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(25);

  private final ClusterLedger ledger;
  private final Supplier<List<ClusterClient>> machines;
  private final List<Thread> writers = new ArrayList<>();
  private final List<Thread> receivers = new ArrayList<>();
  private volatile boolean written;
  private volatile boolean over;

  /**
   * @param machines those that clients know now
   */
  ClusterLoad(ClusterLedger ledger, Supplier<List<ClusterClient>> machines) {
    this.ledger = ledger;
    this.machines = machines;
  }

  void start() {
    for (int i = 0; i < 2; i++) {
      String name = "c" + i;
      client(i, Work.SEND, new Sender(name));
      client(i + 1, Work.NAME, new Namer(name));
      client(i + 2, Work.CLAIM, new Claimant(name));
      client(i, Work.QUEUE, new QueueSender(name));
    }
    client(0, Work.OBJECT, new ObjectWriter());
    client(1, Work.READ, this::read);
    client(2, Work.TILE, new TileReader(ledger));
    client(0, Work.EPOCH, new EpochRunner(ledger));
    receivers.add(Thread.ofVirtual().start(() -> run(1, Work.RECEIVE, this::receive, () -> over)));
    receivers.add(
        Thread.ofVirtual().start(() -> run(2, Work.RECEIVE, this::receiveFromQueue, () -> over)));
  }

  /** One request after the other, until it is granted what it asks for. */
  interface Step {
    /**
     * @return what follows from the grant, with another machine; null if there was none
     */
    @Nullable Sequel run(ClusterClient to) throws IOException, InterruptedException;
  }

  /** What a client does once it was granted something; whether that works is not measured. */
  interface Sequel {
    Sequel NONE = _ -> {};

    void run(ClusterClient other) throws IOException, InterruptedException;
  }

  /** One more client, whose requests stand in the same ledger. */
  void client(int first, Work work, Step step) {
    writers.add(Thread.ofVirtual().start(() -> run(first, work, step, () -> written)));
  }

  private void run(int first, Work work, Step step, BooleanSupplier isOver) {
    int at = first;
    long good = System.nanoTime();
    while (!isOver.getAsBoolean()) {
      List<ClusterClient> all = machines.get();
      try {
        Sequel sequel = step.run(all.get(at % all.size()));
        if (sequel == null) {
          at++;
        } else {
          ledger.granted(work, System.nanoTime() - good);
          quietly(sequel, all.get((at + 1) % all.size()));
          good = System.nanoTime();
        }
      } catch (IOException failed) {
        at++;
      } catch (RuntimeException strange) {
        ledger.contradicts(work + ": " + strange);
      } catch (InterruptedException stop) {
        return;
      }
      LockSupport.parkNanos(REST_NANOS);
    }
  }

  private static void quietly(Sequel sequel, ClusterClient other) throws InterruptedException {
    try {
      sequel.run(other);
    } catch (IOException away) {
      // the other machine is the one in trouble
    }
  }

  /** Writes no more, and goes on to receive until all that was sent has come. */
  void drain(Duration limit) throws InterruptedException {
    written = true;
    for (Thread each : writers) {
      each.join();
    }
    long end = System.nanoTime() + limit.toNanos();
    while (!ledger.missing().isEmpty() && System.nanoTime() < end) {
      LockSupport.parkNanos(REST_NANOS);
    }
    over = true;
    for (Thread each : receivers) {
      each.join();
    }
  }

  @Override
  public void close() {
    written = true;
    over = true;
    writers.forEach(Thread::interrupt);
    receivers.forEach(Thread::interrupt);
  }

  /** A key that was not acknowledged is sent again. */
  private final class Sender implements Step {
    private final String name;
    private long number;

    Sender(String name) {
      this.name = name;
    }

    @Override
    public @Nullable Sequel run(ClusterClient to) throws IOException, InterruptedException {
      String key = "m-%s-%d".formatted(name, number);
      String form =
          "{\"topic\":\"%s\",\"idem_key\":\"%s\",\"payload_b64\":\"%s\"}"
              .formatted(TOPIC, key, Base64.getEncoder().encodeToString(key.getBytes(UTF_8)));
      if (to.gateway("POST", "/v1/send", form).statusCode() != 200) {
        return null;
      }
      ledger.sent.add(key);
      number++;
      return Sequel.NONE;
    }
  }

  private @Nullable Sequel receive(ClusterClient to) throws IOException, InterruptedException {
    HttpResponse<byte[]> answer =
        to.gateway(
            "POST",
            "/v1/recv",
            "{\"topic\":\"%s\",\"max_messages\":10,\"visibility_ms\":15000}".formatted(TOPIC));
    if (answer.statusCode() != 200) {
      return null;
    }
    List<Map<?, ?>> messages = list(answer, "messages");
    messages.forEach(each -> ledger.received(text(each, "idem_key"), text(each, "msg_id")));
    return other -> {
      for (Map<?, ?> each : messages) {
        HttpResponse<byte[]> ack =
            other.gateway(
                "POST",
                "/v1/ack/" + text(each, "msg_id"),
                "{\"receipt\":\"%s\"}".formatted(text(each, "receipt")));
        if (ack.statusCode() == 200) {
          ledger.took(text(each, "idem_key"));
        }
      }
    };
  }

  /** Each client is a group of a FIFO queue, and a message that is not acknowledged is repeated. */
  private final class QueueSender implements Step {
    private final String name;
    private long number;

    QueueSender(String name) {
      this.name = name;
    }

    @Override
    public @Nullable Sequel run(ClusterClient to) throws IOException, InterruptedException {
      String key = "q-%s-%d".formatted(name, number);
      String members =
          ("{\"QueueUrl\":\"%s\",\"MessageBody\":\"%s\",\"MessageGroupId\":\"%s\","
                  + "\"MessageDeduplicationId\":\"%s\"}")
              .formatted(QUEUE, key, name, key);
      if (to.sqs("SendMessage", members).statusCode() != 200) {
        return null;
      }
      ledger.sent.add(key);
      number++;
      return Sequel.NONE;
    }
  }

  private @Nullable Sequel receiveFromQueue(ClusterClient to)
      throws IOException, InterruptedException {
    HttpResponse<byte[]> answer =
        to.sqs(
            "ReceiveMessage",
            "{\"QueueUrl\":\"%s\",\"MaxNumberOfMessages\":10,\"VisibilityTimeout\":15}"
                .formatted(QUEUE));
    if (answer.statusCode() != 200) {
      return null;
    }
    List<Map<?, ?>> messages = list(answer, "Messages");
    for (Map<?, ?> each : messages) {
      String key = text(each, "Body");
      int last = key.lastIndexOf('-');
      ledger.inOrder(key.substring(0, last), Long.parseLong(key.substring(last + 1)));
      ledger.received(key, text(each, "MessageId"));
    }
    return other -> {
      for (Map<?, ?> each : messages) {
        HttpResponse<byte[]> gone =
            other.sqs(
                "DeleteMessage",
                "{\"QueueUrl\":\"%s\",\"ReceiptHandle\":\"%s\"}"
                    .formatted(QUEUE, text(each, "ReceiptHandle")));
        if (gone.statusCode() == 200) {
          ledger.took(text(each, "Body"));
        }
      }
    };
  }

  /** A name of its own for each put; another machine has it as soon as one says so. */
  private final class Namer implements Step {
    private final String name;
    private long number;

    Namer(String name) {
      this.name = name;
    }

    @Override
    public @Nullable Sequel run(ClusterClient to) throws IOException, InterruptedException {
      String key = "/%s/n-%s-%d".formatted(BUCKET, name, number);
      String content = "content of " + key;
      if (to.s3("PUT", key, content.getBytes(UTF_8)).statusCode() != 200) {
        return null;
      }
      ledger.named(key, content);
      number++;
      return other ->
          compare("at another machine " + key, other.s3("GET", key, new byte[0]), content);
    }
  }

  /** Two ask for the same key, which is to be made once. */
  private final class Claimant implements Step {
    private final String name;
    private long number;

    Claimant(String name) {
      this.name = name;
    }

    @Override
    public @Nullable Sequel run(ClusterClient to) throws IOException, InterruptedException {
      String key = "/%s/claim-%d".formatted(BUCKET, number);
      String content = "of %s %d".formatted(name, number);
      int status = to.s3("PUT", key, content.getBytes(UTF_8), "if-none-match", "*").statusCode();
      if (status == 200) {
        ledger.claimed(key, content);
      } else if (status == 412) {
        ledger.lost.add(key);
      } else {
        return null;
      }
      number++;
      return Sequel.NONE;
    }
  }

  /** Reads what was put, from any machine and at any time. */
  private @Nullable Sequel read(ClusterClient to) throws IOException, InterruptedException {
    Map.Entry<String, String> any = ledger.lately();
    if (any == null) {
      return Sequel.NONE;
    }
    HttpResponse<byte[]> read = to.s3("GET", any.getKey(), new byte[0]);
    compare(any.getKey(), read, any.getValue());
    return read.statusCode() == 200 ? Sequel.NONE : null;
  }

  /** Objects by the hash of their content. */
  private final class ObjectWriter implements Step {
    private long number;

    @Override
    public @Nullable Sequel run(ClusterClient to) throws IOException, InterruptedException {
      String content = "object %d ".formatted(number).repeat(200);
      HttpResponse<byte[]> answer = to.gateway("POST", "/o", content.getBytes(UTF_8));
      if (answer.statusCode() / 100 != 2) {
        return null;
      }
      String address = text(JsonTree.object(answer.body()), "address");
      ledger.objects.put(address, content);
      number++;
      return other ->
          compare(
              "at another machine " + address,
              other.gateway("GET", "/o/" + address, new byte[0]),
              content);
    }
  }

  /** What is there is what was acknowledged; a machine that is away or not ready says nothing. */
  private void compare(String what, HttpResponse<byte[]> read, String content) {
    if (read.statusCode() == 404
        || (read.statusCode() == 200 && !content.equals(new String(read.body(), UTF_8)))) {
      ledger.contradicts("%s was acknowledged and is %d".formatted(what, read.statusCode()));
    }
  }

  static List<Map<?, ?>> list(HttpResponse<byte[]> answer, String member) throws IOException {
    return JsonTree.object(answer.body()).get(member) instanceof List<?> all
        ? all.stream().<Map<?, ?>>map(each -> (Map<?, ?>) each).toList()
        : List.of();
  }

  private static String text(Map<?, ?> members, String name) {
    return String.valueOf(members.get(name));
  }
}
