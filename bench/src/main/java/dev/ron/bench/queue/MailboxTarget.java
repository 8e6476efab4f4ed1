package dev.ron.bench.queue;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.ron.bench.load.LoopbackConnection;
import dev.ron.bench.process.ChildJvmCommand;
import dev.ron.bench.process.ChildProcess;
import dev.ron.bench.process.CpuTime;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A running {@link MailboxTargetMain}, spoken to by plain HTTP/1.1.
 *
 * <p>Threading: immutable; the process is thread-safe.
 */
public final class MailboxTarget implements QueueServer {
  private static final Duration START_LIMIT = Duration.ofSeconds(60);

  private final ChildProcess process;
  private final int port;
  private final int sqsPort;

  private MailboxTarget(ChildProcess process, int port, int sqsPort) {
    this.process = process;
    this.port = port;
    this.sqsPort = sqsPort;
  }

  public static MailboxTarget start(Path folder) throws IOException, InterruptedException {
    int port = ChildProcess.freePort();
    int sqsPort = ChildProcess.freePort();
    var command =
        ChildJvmCommand.hashing(
            MailboxTargetMain.class,
            Integer.toString(port),
            folder.resolve("data").toString(),
            Integer.toString(sqsPort));
    // The door for SQS opens last.
    ChildProcess process =
        ChildProcess.listen("ours", sqsPort, command, folder.resolve("ours.log"), START_LIMIT);
    return new MailboxTarget(process, port, sqsPort);
  }

  /** The same process by its SQS door; it ends with this one. */
  QueueServer sqs() {
    return new QueueServer() {
      @Override
      public QueueLine line() throws IOException {
        return new SqsLine(new LoopbackConnection(sqsPort));
      }

      @Override
      public CpuTime cpuTime() {
        return process.cpuTime();
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public Line line() throws IOException {
    return new Line(new LoopbackConnection(port));
  }

  @Override
  public CpuTime cpuTime() {
    return process.cpuTime();
  }

  /** A figure of its own metrics, 0 if it is not there. */
  double metric(String name) throws IOException {
    try (Line line = line()) {
      return line.request("GET /metrics", "text/plain", new byte[0])
          .lines()
          .filter(each -> each.startsWith(name + " ") || each.startsWith(name + "{"))
          .mapToDouble(each -> Double.parseDouble(each.substring(each.lastIndexOf(' ') + 1)))
          .sum();
    }
  }

  int sqsPort() {
    return sqsPort;
  }

  int port() {
    return port;
  }

  public long pid() {
    return process.pid();
  }

  @Override
  public void close() {
    process.close();
  }

  /** One connection. */
  public static final class Line implements QueueLine {
    private static final Pattern RESULT = Pattern.compile("\\{[^{}]*\\}");
    private static final long AGAIN_NANOS = 1_000_000;
    private static final Pattern RECEIVED =
        Pattern.compile("\"msg_id\":\"(\\w+)\".*?\"receipt\":\"(\\w+)\"");

    private final LoopbackConnection wire;
    private final String topic;
    private final String fields;

    Line(LoopbackConnection wire) {
      this(wire, "bench");
    }

    Line(LoopbackConnection wire, String topic) {
      this(wire, topic, "");
    }

    /**
     * With further fields in each request.
     *
     * @param fields each with its line end
     */
    Line(LoopbackConnection wire, String topic, String fields) {
      this.wire = wire;
      this.topic = topic;
      this.fields = fields;
    }

    @Override
    public void send(byte[] body, String key) throws IOException {
      String path = "POST /v1/send?topic=%s&idem_key=%s".formatted(topic, key);
      request(path, "application/octet-stream", body);
    }

    /** Many in one request, each an object of JSON. */
    void sendBatch(List<String> messages) throws IOException {
      untilTaken("/v1/send/batch", "messages", messages);
    }

    /** Receives up to a hundred and acknowledges them all at once; how many there were. */
    int handleBatch() throws IOException {
      String got = post("/v1/recv", "{\"topic\":\"%s\",\"max_messages\":100}".formatted(topic));
      List<String> entries =
          RECEIVED
              .matcher(got)
              .results()
              .map(
                  each ->
                      "{\"msg_id\":\"%s\",\"receipt\":\"%s\"}"
                          .formatted(each.group(1), each.group(2)))
              .toList();
      untilTaken("/v1/ack", "entries", entries);
      return entries.size();
    }

    /** What a full inbox refused is asked again, as a client does; any other refusal is an end. */
    private void untilTaken(String path, String name, List<String> all) throws IOException {
      List<String> left = all;
      while (!left.isEmpty()) {
        String told = post(path, "{\"%s\":[%s]}".formatted(name, String.join(",", left)));
        left = refused(left, told.substring(told.indexOf('[')));
        if (!left.isEmpty()) {
          LockSupport.parkNanos(AGAIN_NANOS);
        }
      }
    }

    private static List<String> refused(List<String> asked, String results) throws IOException {
      List<String> told = RESULT.matcher(results).results().map(MatchResult::group).toList();
      if (told.size() != asked.size()) {
        throw new IOException(asked.size() + " were asked and answered was " + results);
      }
      var busy = new ArrayList<String>();
      for (int i = 0; i < told.size(); i++) {
        if (told.get(i).contains("\"code\":\"saturated\"")) {
          busy.add(asked.get(i));
        } else if (told.get(i).contains("\"code\"")) {
          throw new IOException("refused: " + told.get(i));
        }
      }
      return busy;
    }

    @Override
    public boolean handleOne() throws IOException {
      String got = receive(topic, 30_000, 0);
      boolean some = got.contains("\"msg_id\"");
      if (some) {
        ack(got);
      }
      return some;
    }

    /** Acknowledges the one message of an answer. */
    public void ack(String got) throws IOException {
      post("/v1/ack/" + field(got, "msg_id"), "{\"receipt\":\"" + field(got, "receipt") + "\"}");
    }

    public String receive(String topic, int visibilityMillis, int waitMillis) throws IOException {
      return post(
          "/v1/recv",
          "{\"topic\":\"%s\",\"visibility_ms\":%d,\"wait_ms\":%d}"
              .formatted(topic, visibilityMillis, waitMillis));
    }

    public static String field(String json, String name) {
      int from = json.indexOf("\"" + name + "\":\"") + name.length() + 4;
      return json.substring(from, json.indexOf('"', from));
    }

    String post(String path, String json) throws IOException {
      return request("POST " + path, "application/json", json.getBytes(ISO_8859_1));
    }

    private String request(String what, String type, byte[] body) throws IOException {
      return wire.http(what, type, fields, body);
    }

    @Override
    public void close() throws IOException {
      wire.close();
    }
  }
}
