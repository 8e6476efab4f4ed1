package dev.ron.bench.queue;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.ron.bench.load.LoopbackConnection;
import dev.ron.bench.process.ChildProcess;
import dev.ron.bench.process.CpuTime;
import dev.ron.bench.process.Peer;
import dev.ron.bench.process.SearchPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * NATS JetStream with a stream on disk that is taken from as a work queue.
 *
 * <p>Before 2.10 it cannot be told to flush before it confirms: a power cut takes what came in the
 * last two minutes. Versions that can are told to.
 *
 * <p>Threading: immutable; the process is thread-safe.
 */
final class NatsPeer implements QueueServer {
  private static final Duration START_LIMIT = Duration.ofSeconds(10);

  private final ChildProcess process;
  private final int port;

  private NatsPeer(ChildProcess process, int port) {
    this.process = process;
    this.port = port;
  }

  static Peer find(SearchPath searchPath) {
    return Peer.find(searchPath, "nats-server", "nats-server", "-v");
  }

  /** Whether this version flushes before it confirms. */
  static boolean flushes(String version) {
    return !version.matches(".*v2\\.[0-9](\\..*|$)");
  }

  static NatsPeer start(Peer peer, Path folder) throws IOException, InterruptedException {
    int port = ChildProcess.freePort();
    Path store = Files.createDirectories(folder.resolve("nats"));
    String sync = flushes(peer.version()) ? "sync_interval: always" : "";
    Path config = folder.resolve("nats.conf");
    Files.writeString(
        config,
        "listen: 127.0.0.1:%d%njetstream { store_dir: \"%s\" %s }%n".formatted(port, store, sync));
    var process =
        ChildProcess.listen(
            peer.name(),
            port,
            List.of(peer.command(), "-c", config.toString()),
            folder.resolve("nats.log"),
            START_LIMIT);
    var nats = new NatsPeer(process, port);
    try (Line line = nats.line()) {
      line.ask(
          "$JS.API.STREAM.CREATE.bench",
          "{\"name\":\"bench\",\"subjects\":[\"bench\"],\"retention\":\"workqueue\","
              + "\"storage\":\"file\",\"num_replicas\":1}");
      line.ask(
          "$JS.API.CONSUMER.DURABLE.CREATE.bench.taker",
          "{\"stream_name\":\"bench\",\"config\":{\"durable_name\":\"taker\","
              + "\"ack_policy\":\"explicit\",\"max_ack_pending\":10000}}");
    } catch (IOException | RuntimeException failed) {
      process.close();
      throw failed;
    }
    return nats;
  }

  @Override
  public Line line() throws IOException {
    return new Line(new LoopbackConnection(port));
  }

  @Override
  public CpuTime cpuTime() {
    return process.cpuTime();
  }

  @Override
  public void close() {
    process.close();
  }

  /** One connection with an inbox of its own. */
  static final class Line implements QueueLine {
    private static final byte[] END = {'\r', '\n'};
    private final LoopbackConnection wire;
    private static final AtomicLong INBOXES = new AtomicLong();
    private final String inbox = "_INBOX.bench." + INBOXES.incrementAndGet() + ".";
    private long questions;

    /** Answers are never so many questions late. */
    private static final int PLACES = 1000;

    /**
     * Waits 50 ms for a message: 2.9 leaves some of the requests unanswered that do not want to
     * wait, when others take what it counted on.
     */
    private static final byte[] WISH = "{\"batch\":1,\"expires\":50000000}".getBytes(ISO_8859_1);

    Line(LoopbackConnection wire) throws IOException {
      this.wire = wire;
      wire.line();
      wire.write("CONNECT {\"verbose\":false,\"headers\":true,\"no_responders\":true}\r\n");
      wire.write("SUB " + inbox + "* 1\r\n");
    }

    /** One answer: where it came to, whom to answer in turn, its headers' first line, the text. */
    private record Told(String subject, String reply, String status, String text) {}

    /**
     * Servers in a cluster say more than was asked for, such as that a request is over that was
     * granted already; that comes to the place of a question before and is passed over. A message
     * that is handed out comes under its own subject.
     */
    private Told ask(String subject, byte[] body) throws IOException {
      String place = inbox + questions++ % PLACES;
      String head = "PUB %s %s %d\r\n".formatted(subject, place, body.length);
      wire.write(head.getBytes(ISO_8859_1), body, END);
      Told told = next();
      while (told.subject().startsWith(inbox) && !told.subject().equals(place)) {
        told = next();
      }
      return told;
    }

    private Told next() throws IOException {
      while (true) {
        String[] words = wire.line().split(" ", -1);
        switch (words[0]) {
          case "PING" -> wire.write("PONG\r\n");
          case "MSG" -> {
            byte[] text = wire.bytes(Integer.parseInt(words[words.length - 1]));
            wire.bytes(END.length);
            String reply = words.length == 5 ? words[3] : "";
            return new Told(words[1], reply, "", new String(text, ISO_8859_1));
          }
          case "HMSG" -> {
            int all = Integer.parseInt(words[words.length - 1]);
            int headers = Integer.parseInt(words[words.length - 2]);
            String text = new String(wire.bytes(all), ISO_8859_1);
            wire.bytes(END.length);
            String status = text.substring(0, text.indexOf('\r'));
            String reply = words.length == 6 ? words[3] : "";
            return new Told(words[1], reply, status, text.substring(headers));
          }
          case "+OK" -> {}
          default -> throw new IOException("NATS said " + String.join(" ", words));
        }
      }
    }

    void ask(String subject, String json) throws IOException {
      String answer = ask(subject, json.getBytes(ISO_8859_1)).text();
      if (answer.contains("\"error\"") || answer.isEmpty()) {
        throw new IOException("JetStream answered " + answer);
      }
    }

    @Override
    public void send(byte[] body, String key) throws IOException {
      String answer = ask("bench", body).text();
      if (!answer.contains("\"seq\"")) {
        throw new IOException("JetStream answered " + answer);
      }
    }

    @Override
    public boolean handleOne() throws IOException {
      Told told = ask("$JS.API.CONSUMER.MSG.NEXT.bench.taker", WISH);
      if (!told.status().isEmpty() && !told.status().equals("NATS/1.0")) {
        return false;
      }
      if (told.reply().isEmpty()) {
        throw new IOException("JetStream answered a request for a message with " + told.text());
      }
      // With an inbox to answer to, JetStream says that it has the acknowledgement.
      ask(told.reply(), "+ACK".getBytes(ISO_8859_1));
      return true;
    }

    @Override
    public void close() throws IOException {
      wire.close();
    }
  }
}
