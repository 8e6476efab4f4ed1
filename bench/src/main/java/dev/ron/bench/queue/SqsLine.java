package dev.ron.bench.queue;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.ron.bench.load.LoopbackConnection;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One connection to a queue by SQS's JSON protocol; no request is signed.
 *
 * <p>Threading: owned by the worker.
 */
public final class SqsLine implements QueueLine {
  /** As many as one request of the protocol takes. */
  static final int BATCH = 10;

  private static final Pattern HANDLE = Pattern.compile("\"ReceiptHandle\":\"([^\"]*)\"");
  private static final String QUEUE = "\"QueueUrl\":\"http://127.0.0.1/000000000000/bench\"";

  private final LoopbackConnection wire;

  SqsLine(LoopbackConnection wire) {
    this.wire = wire;
  }

  void create() throws IOException {
    wire("{\"QueueName\":\"bench\"}", "CreateQueue");
  }

  @Override
  public void send(byte[] body, String key) throws IOException {
    sendText(text(body));
  }

  /** SQS takes text, so it gets as many letters as there are bytes. */
  static String text(byte[] body) {
    byte[] letters = new byte[body.length];
    for (int i = 0; i < body.length; i++) {
      letters[i] = (byte) ('a' + (body[i] & 15));
    }
    return new String(letters, ISO_8859_1);
  }

  public void sendText(String text) throws IOException {
    call("SendMessage", ",\"MessageBody\":\"" + text + "\"");
  }

  void sendBatch(String text) throws IOException {
    var entries = new StringBuilder();
    for (int i = 0; i < BATCH; i++) {
      entries
          .append(i == 0 ? "" : ",")
          .append("{\"Id\":\"%d\",\"MessageBody\":\"%s\"}".formatted(i, text));
    }
    String told = call("SendMessageBatch", ",\"Entries\":[" + entries + "]");
    if (told.contains("\"Failed\"")) {
      throw new IOException("refused: " + told);
    }
  }

  @Override
  public boolean handleOne() throws IOException {
    return takeText() != null;
  }

  /** Takes one and deletes it; null if there was none. */
  @Nullable public String takeText() throws IOException {
    String got = receive(1, 0);
    Matcher handle = HANDLE.matcher(got);
    if (!handle.find()) {
      return null;
    }
    call("DeleteMessage", ",\"ReceiptHandle\":\"" + handle.group(1) + "\"");
    return MailboxTarget.Line.field(got, "Body");
  }

  /** Takes up to ten and deletes them at once; how many there were. */
  int handleBatch() throws IOException {
    Matcher handle = HANDLE.matcher(receive(BATCH, 0));
    var entries = new StringBuilder();
    int count = 0;
    while (handle.find()) {
      entries
          .append(count == 0 ? "" : ",")
          .append("{\"Id\":\"%d\",\"ReceiptHandle\":\"%s\"}".formatted(count++, handle.group(1)));
    }
    if (count > 0) {
      call("DeleteMessageBatch", ",\"Entries\":[" + entries + "]");
    }
    return count;
  }

  String receive(int max, int waitSeconds) throws IOException {
    return call(
        "ReceiveMessage",
        ",\"MaxNumberOfMessages\":%d,\"VisibilityTimeout\":30,\"WaitTimeSeconds\":%d"
            .formatted(max, waitSeconds));
  }

  private String call(String action, String fields) throws IOException {
    return wire("{" + QUEUE + fields + "}", action);
  }

  private String wire(String json, String action) throws IOException {
    return wire.http(
        "POST /",
        "application/x-amz-json-1.0",
        "X-Amz-Target: AmazonSQS." + action + "\r\n",
        json.getBytes(ISO_8859_1));
  }

  @Override
  public void close() throws IOException {
    wire.close();
  }
}
