package dev.ron.testkit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * A request that tries to be read in two ways: codings, framings, options and trailers at random,
 * with a hidden request at the end of its body.
 *
 * <p>Threading: immutable.
 *
 * @param fields names and values in turn, without framing
 * @param plain what the body means, before its codings
 * @param wire the body as it is sent
 * @param truthful the fields tell the codings that the body has
 * @param chunked of unknown length
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record WireProbe(
    int id,
    boolean http2,
    String method,
    List<String> fields,
    byte[] plain,
    byte[] wire,
    boolean truthful,
    boolean chunked,
    List<String> trailers) {
  private static final String HIDDEN = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n";
  private static final List<String> METHODS = List.of("POST", "PUT", "GET", "DELETE");
  private static final List<String> OPTIONS =
      List.of(
          "Content-Encoding",
          "content-length",
          "Transfer-Encoding",
          "Authorization",
          "Host",
          "Cookie",
          "TE",
          "keep-alive",
          "close",
          "X-Own");
  private static final List<String> ODD_FIELDS =
      List.of(
          "Content_Length: 3",
          "Transfer_Encoding: chunked",
          "Transfer.Encoding: chunked",
          "X-HTTP-Method-Override: DELETE",
          "X-Forwarded-Prefix: /smuggled",
          "Expect: 100-continue",
          "TE: trailers",
          "Trailer: X-Sum",
          "Cookie: a=1",
          "Cookie: b=2",
          "X-Own: 1",
          "Authorization: Basic YTpi");
  private static final List<String> ODD_TRAILERS =
      List.of("X-Sum: 1", "X-Forwarded-Proto: gopher", "X-Real-IP: 6.6.6.6", "Content-Length: 3");

  /** Puts a coding on a body. */
  @FunctionalInterface
  public interface Coder {
    byte[] coded(String coding, byte[] plain) throws IOException;
  }

  /**
   * @param codings the names that {@code coder} knows; identity is not among them
   */
  public static WireProbe of(
      int id, RandomGenerator random, List<String> codings, Coder coder, List<String> methods)
      throws IOException {
    boolean http2 = random.nextBoolean();
    List<String> applied = picked(random, codings, random.nextInt(3));
    byte[] plain = plain(random, applied, coder);
    byte[] wire = plain;
    for (String coding : applied) {
      wire = coder.coded(coding, wire);
    }
    boolean truthful = random.nextInt(4) > 0;
    var fields = new ArrayList<String>();
    encodings(random, truthful ? applied : picked(random, codings, random.nextInt(3)), fields);
    for (String odd : picked(random, ODD_FIELDS, random.nextInt(3))) {
      fields.addAll(List.of(odd.split(": ", 2)));
    }
    if (!http2 && random.nextInt(3) == 0) {
      String names = String.join(", ", picked(random, OPTIONS, 1 + random.nextInt(2)));
      fields.addAll(List.of("Connection", names));
    }
    boolean chunked = random.nextBoolean();
    var trailers = new ArrayList<String>();
    if (chunked && random.nextBoolean()) {
      for (String odd : picked(random, ODD_TRAILERS, 1)) {
        trailers.addAll(List.of(odd.split(": ", 2)));
      }
    }
    String method = methods.get(random.nextInt(methods.size()));
    return new WireProbe(id, http2, method, fields, plain, wire, truthful, chunked, trailers);
  }

  public static List<String> methods() {
    return METHODS;
  }

  private static List<String> picked(RandomGenerator random, List<String> from, int count) {
    var picked = new ArrayList<String>();
    for (int i = 0; i < count; i++) {
      picked.add(from.get(random.nextInt(from.size())));
    }
    return picked;
  }

  /**
   * Noise, letters that compress, the hidden request. The letters are as many as make the coded
   * body exactly as long as what is before the hidden one, where one coding is used.
   */
  private static byte[] plain(RandomGenerator random, List<String> applied, Coder coder)
      throws IOException {
    int noise =
        switch (random.nextInt(6)) {
          case 0 -> 0;
          case 1 -> random.nextInt(300);
          case 2 -> 65_500 + random.nextInt(80);
          default -> 66_000 + random.nextInt(30_000);
        };
    var bytes = new byte[noise];
    random.nextBytes(bytes);
    int letters = random.nextInt(200);
    for (int round = 0; round < 6 && applied.size() == 1; round++) {
      int coded = coder.coded(applied.getFirst(), joined(bytes, letters)).length;
      letters = Math.max(0, coded - noise);
    }
    return noise == 0 && random.nextBoolean() ? bytes : joined(bytes, letters);
  }

  private static byte[] joined(byte[] noise, int letters) {
    var all = new ByteArrayOutputStream();
    all.writeBytes(noise);
    all.writeBytes("A".repeat(letters).getBytes(ISO_8859_1));
    all.writeBytes(HIDDEN.getBytes(ISO_8859_1));
    return all.toByteArray();
  }

  /** The codings over one line or several, with identities, blanks and capitals between. */
  private static void encodings(RandomGenerator random, List<String> codings, List<String> fields) {
    var names = new ArrayList<>(codings);
    for (int i = random.nextInt(3); i > 0; i--) {
      names.add(random.nextInt(names.size() + 1), random.nextInt(3) == 0 ? "" : "identity");
    }
    var line = new StringBuilder();
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i);
      line.append(random.nextInt(4) == 0 ? name.toUpperCase(Locale.ROOT) : name);
      boolean last = i == names.size() - 1;
      if (last || random.nextInt(3) == 0) {
        fields.addAll(List.of("Content-Encoding", line.toString().strip()));
        line.setLength(0);
      } else {
        line.append(random.nextBoolean() ? "," : "\t , ");
      }
    }
  }

  /**
   * Sends it, and says the status or how it ended.
   *
   * @param base what the path begins with
   */
  public String send(int port, String base) throws IOException {
    String path = base + "/p" + id;
    return http2 ? sendHttp2(port, path) : sendHttp1(port, path);
  }

  private String sendHttp2(int port, String path) throws IOException {
    var block =
        new ArrayList<>(
            List.of(
                ":method", method, ":scheme", "http", ":authority", "localhost", ":path", path));
    fields.forEach(text -> block.add(text));
    for (int i = 8; i < block.size(); i += 2) {
      block.set(i, block.get(i).toLowerCase(Locale.ROOT));
    }
    if (!chunked) {
      block.addAll(List.of("content-length", "" + wire.length));
    }
    List<String> last = new ArrayList<>(trailers);
    for (int i = 0; i < last.size(); i += 2) {
      last.set(i, last.get(i).toLowerCase(Locale.ROOT));
    }
    try (var client = new RawHttp2(port)) {
      return client.ask(block, wire, last);
    }
  }

  private String sendHttp1(int port, String path) throws IOException {
    var out = new StringBuilder(method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n");
    lines(out, fields);
    out.append(chunked ? "Transfer-Encoding: chunked" : "Content-Length: " + wire.length);
    out.append("\r\n\r\n");
    String body = new String(wire, ISO_8859_1);
    if (chunked) {
      int step = 1 + body.length() / 3;
      for (int from = 0; from < body.length(); from += step) {
        String piece = body.substring(from, Math.min(body.length(), from + step));
        out.append(Integer.toHexString(piece.length())).append("\r\n").append(piece).append("\r\n");
      }
      out.append("0\r\n");
      lines(out, trailers);
      out.append("\r\n");
    } else {
      out.append(body);
    }
    try (var client = new RawClient(port)) {
      client.sendAnyway(out.toString());
      String head = client.head();
      while (head.startsWith("HTTP/1.1 1")) {
        head = client.head();
      }
      int at = head.indexOf("X-Answers: ");
      assertThat(at < 0 || head.startsWith("X-Answers: " + id + "\r\n", at)).as(head).isTrue();
      return head.substring(9, 12);
    } catch (java.io.EOFException | java.net.SocketException closed) {
      return "closed";
    }
  }

  private static void lines(StringBuilder out, List<String> fields) {
    for (int i = 0; i < fields.size(); i += 2) {
      out.append(fields.get(i)).append(": ").append(fields.get(i + 1)).append("\r\n");
    }
  }

  /**
   * What holds of every upstream: its connections carry what their heads announced and nothing
   * else; a request comes once, from a probe, and its body is what the probe meant.
   *
   * @param answered the probes and what became of each
   */
  public static void check(RecordingOrigin origin, Map<WireProbe, String> answered) {
    check(origin, answered, true);
  }

  /**
   * @param bodiesOfGet false if a GET is asked for without the body that it came with
   */
  public static void check(
      RecordingOrigin origin, Map<WireProbe, String> answered, boolean bodiesOfGet) {
    assertThat(origin.breaches()).isEmpty();
    Map<Integer, WireProbe> byId = new HashMap<>();
    answered.keySet().forEach(probe -> byId.put(probe.id, probe));
    var seen = new HashSet<Integer>();
    for (RecordingOrigin.Heard heard : origin.requests()) {
      String what = heard.method() + " " + heard.target() + " " + heard.fields();
      assertThat(byId).as("no client sent: %s", what).containsKey(heard.probe());
      assertThat(seen.add(heard.probe())).as("a second time: %s", what).isTrue();
      Objects.requireNonNull(byId.get(heard.probe())).check(heard, bodiesOfGet);
    }
    answered.forEach(
        (probe, outcome) -> {
          if (outcome.equals("200")) {
            assertThat(seen).as("%s was answered", probe).contains(probe.id);
          }
          assertThat(outcome).as("%s", probe).isNotEqualTo("silent").doesNotStartWith("5");
        });
  }

  private void check(RecordingOrigin.Heard heard, boolean bodiesOfGet) {
    assertThat(heard.method()).as("%s", this).isEqualTo(method);
    assertThat(heard.fields()).as("%s", this).noneMatch(WireProbe::isFraud);
    assertThat(heard.trailers()).as("%s", this).noneMatch(WireProbe::isFraud);
    if (method.equals("GET") && !bodiesOfGet) {
      assertThat(heard.body()).as("%s", this).isEmpty();
    } else if (truthful) {
      boolean coded =
          heard.values("content-encoding").stream()
              .anyMatch(line -> !line.strip().equalsIgnoreCase("identity") && !line.isBlank());
      boolean same = Arrays.equals(heard.body(), coded ? wire : plain);
      assertThat(same).as("the body of %s, as %s", this, heard.fields()).isTrue();
    }
  }

  /** Fields that only a proxy may set, sent by a client; our proxies must not pass them on. */
  private static boolean isFraud(String field) {
    return field.contains("smuggled")
        || field.startsWith("x-http-method")
        || field.contains("6.6.6.6")
        || field.contains("gopher")
        || field.matches("[a-z-]*[_.].*: .*");
  }

  @Override
  public String toString() {
    return "probe %d: %s over %s, %d bytes of %d, %s, %s, trailers %s"
        .formatted(
            id,
            method,
            http2 ? "HTTP/2" : "HTTP/1.1",
            wire.length,
            plain.length,
            chunked ? "chunked" : "announced",
            fields,
            trailers);
  }
}
