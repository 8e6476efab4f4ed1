package dev.ron.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.testkit.RawClient;
import dev.ron.testkit.Seeds;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What one client writes into its request never reaches another by way of the cache.
 *
 * <p>The origin is the worst there can be: it puts every field it is sent into its body, and says
 * that the answer may be kept.
 */
final class RequestFieldsTest {
  /** Fields that real frameworks build links, routes or answers from, and some that none knows. */
  private static final List<String> NAMES =
      List.of(
          "Host",
          "Forwarded",
          "X-Forwarded-Host",
          "X-Forwarded-Proto",
          "X-Forwarded-Prefix",
          "X-Forwarded-For",
          "X-Host",
          "X-Original-URL",
          "X-Rewrite-URL",
          "X-HTTP-Method-Override",
          "X-Anything",
          "Accept",
          "Accept-Charset",
          "Accept-Encoding",
          "Accept-Language",
          "Cache-Control",
          "Cookie",
          "Expect-CT",
          "If-Match",
          "If-None-Match",
          "If-Modified-Since",
          "If-Range",
          "If-Unmodified-Since",
          "Max-Forwards",
          "Origin",
          "Pragma",
          "Prefer",
          "Range",
          "Referer",
          "Save-Data",
          "TE",
          "User-Agent",
          "Via",
          "X-Listed",
          "traceparent",
          "tracestate");

  private static final List<String> SAID =
      List.of(
          "Cache-Control: max-age=60",
          "Cache-Control: public, s-maxage=60|ETag: \"e\"",
          "Last-Modified: Mon, 01 Jan 2024 11:00:00 GMT",
          "Cache-Control: max-age=60|Content-Encoding: gzip");

  private static final Pattern MARK = Pattern.compile("mark-([0-9]+)-");

  /** The whole field: two letters alone are found in every sixth trace id too. */
  private static final Pattern GERMAN = Pattern.compile("(?im)^accept-language: de\\r?$");

  @TempDir private Path folder;

  @Test
  void noClientReadsWhatAnotherWrote() {
    Seeds.forEach(
        40,
        (seed, random) -> {
          String said = pick(random, SAID);
          String vary = random.nextBoolean() ? "" : "|Vary: " + pick(random, NAMES);
          int status = random.nextInt(4) == 0 ? 416 : 200;
          try (var origin = new FakeOrigin((_, head, out) -> echo(status, said + vary, head, out));
              Rig rig =
                  Rig.before(
                      Files.createDirectory(folder.resolve("seed-" + seed)),
                      origin.url(),
                      List.of("request_fields = [\"X-Listed\"]"))) {
            for (int client = 1; client <= 8; client++) {
              String answer = ask(rig, random, client);
              for (var mark = MARK.matcher(answer); mark.find(); ) {
                assertThat(mark.group(1))
                    .as("%s%s: client %d reads %s", said, vary, client, answer)
                    .isEqualTo("" + client);
              }
              rig.awaitIdle();
            }
          }
        });
  }

  @Test
  void theUpstreamIsToldWhoItIsByTheMountAndNothingOfTheClientsHost() throws Exception {
    try (var origin = FakeOrigin.answering("Cache-Control: no-store", "x");
        Rig rig = Rig.before(folder, origin.url());
        var client = new RawClient(rig.wired.door().port())) {
      client.send(
          RawClient.http(
              "GET /a HTTP/1.1",
              "Host: localhost:4711",
              "X-Forwarded-Host: evil.example",
              "Forwarded: host=evil.example",
              "User-Agent: evil.example",
              "",
              ""));
      assertThat(client.answer()).startsWith("HTTP/1.1 200");
      assertThat(origin.heads.getFirst().toLowerCase(Locale.ROOT))
          .doesNotContain("evil.example", "4711")
          .contains("host: " + origin.url().substring("http://".length()));
    }
  }

  /** The upstream says by what it chooses, is told that, and is not asked twice for it again. */
  @Test
  void whatVaryNamesIsSentAndKept() throws Exception {
    try (var origin =
            new FakeOrigin(
                (_, head, out) ->
                    out.write(
                        FakeOrigin.bytes(
                            200,
                            "Cache-Control: max-age=60|Vary: Accept-Language",
                            GERMAN.matcher(head).find() ? "Hallo" : "Hello")));
        Rig rig = Rig.before(folder, origin.url())) {
      assertThat(rig.get("/a", "Accept-Language", "de").body()).isEqualTo("Hallo");
      assertThat(origin.requests()).as("once to learn, once to choose").isEqualTo(2);
      rig.awaitIdle();
      assertThat(rig.get("/a", "Accept-Language", "en").body()).isEqualTo("Hello");
      assertThat(origin.requests()).isEqualTo(3);
      rig.awaitIdle();
      assertThat(rig.get("/a", "Accept-Language", "de").body()).isEqualTo("Hallo");
      assertThat(rig.get("/a", "Accept-Language", "en").body()).isEqualTo("Hello");
      assertThat(origin.requests()).isEqualTo(3);
    }
  }

  @Test
  void aListedFieldIsSentAndPartOfTheKeyAndAnUnkeyedOneOnlySent() throws Exception {
    try (var origin =
            new FakeOrigin((_, head, out) -> echo(200, "Cache-Control: max-age=60", head, out));
        Rig rig =
            Rig.before(
                folder,
                origin.url(),
                List.of(
                    "request_fields = [\"X-Tenant\"]", "unkeyed_fields = [\"X-B3-TraceId\"]"))) {
      assertThat(rig.get("/a", "X-Tenant", "one", "X-B3-TraceId", "t1").body())
          .contains("x-tenant: one", "x-b3-traceid: t1");
      rig.awaitIdle();
      assertThat(rig.get("/a", "X-Tenant", "one", "X-B3-TraceId", "t2").body()).contains("t1");
      assertThat(rig.get("/a", "X-Tenant", "two").body()).contains("x-tenant: two");
      assertThat(rig.get("/a").body()).doesNotContain("x-tenant");
      assertThat(origin.requests()).isEqualTo(3);
    }
  }

  private static String ask(Rig rig, RandomGenerator random, int client) throws Exception {
    var lines = new ArrayList<String>();
    lines.add("GET /a HTTP/1.1");
    boolean host = false;
    for (String name : NAMES) {
      if (random.nextInt(3) == 0) {
        lines.add(name + ": " + value(name, client));
        host |= name.equals("Host");
      }
    }
    if (!host) {
      lines.add("Host: localhost");
    }
    lines.add("Connection: close");
    lines.add("");
    lines.add("");
    try (var socket = new RawClient(rig.wired.door().port())) {
      return socket.send(RawClient.http(lines.toArray(String[]::new))).answer();
    }
  }

  /** In a form that a reader of the field would take, where it has one. */
  private static String value(String name, int client) {
    String mark = "mark-" + client + "-";
    return switch (name) {
      case "If-Match", "If-None-Match", "If-Range" -> "\"" + mark + "\"";
      case "Accept-Language", "Accept-Encoding" -> mark + ", de;q=0.5";
      case "Cache-Control" -> "max-stale=1, " + mark;
      case "Range" -> client % 2 == 0 ? "bytes=" + mark : "bytes=0-1";
      case "Host" -> mark + ".example";
      case "If-Modified-Since", "If-Unmodified-Since" -> mark;
      default -> mark;
    };
  }

  private static void echo(int status, String fields, String head, OutputStream out)
      throws Exception {
    var body = new StringBuilder();
    head.lines().skip(1).forEach(line -> body.append(line.toLowerCase(Locale.ROOT)).append('\n'));
    out.write(FakeOrigin.bytes(status, fields, body.toString()));
  }

  private static String pick(RandomGenerator random, List<String> from) {
    return from.get(random.nextInt(from.size()));
  }
}
