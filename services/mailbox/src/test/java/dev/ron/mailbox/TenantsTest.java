package dev.ron.mailbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import dev.ron.capability.KeyRing;
import dev.ron.capability.Revocations;
import dev.ron.capability.TokenMint;
import dev.ron.capability.Trust;
import dev.ron.capability.Verifier;
import dev.ron.capability.caveat.Caveat;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What belongs to one tenant is to another as if it were not there: every route is asked by another
 * tenant in a mailbox that is full of things and in one that is empty, and answers the same.
 */
@Timeout(120)
final class TenantsTest {
  private static final SplittableRandom RANDOM = new SplittableRandom(24);
  private static final KeyRing RING = KeyRing.generate(RANDOM);
  private static final Verifier VERIFIER = new Verifier(new Trust(RING, new Revocations(Set.of())));
  private static final String ACME = token(new Caveat.Tenant("acme"));
  private static final String EVIL = token(new Caveat.Tenant("evil"));
  private static final String OPERATOR = token();

  /** What the server has for all; no tenant's things are in it. */
  private static final Set<String> OF_THE_SERVER =
      Set.of("healthz", "readyz", "version", "openapi");

  @TempDir private Path folder;

  /** Things of one tenant: their ids, and the receipt of the one in flight. */
  private record Things(String ready, String flying, String receipt, String dead, String acked) {}

  private static String token(Caveat... caveats) {
    return new TokenMint(RING, RANDOM).mint(List.of(caveats)).token();
  }

  private Rig rig(String name) throws Exception {
    return new Rig(folder.resolve(name), Map.of("max_attempts", "1"), VERIFIER);
  }

  private static String sent(Rig rig, String token, String topic, String key) throws Exception {
    String answer =
        rig.ask(
            "POST",
            "/v1/send",
            "{\"topic\":\"%s\",\"idem_key\":\"%s\",\"payload_b64\":\"c2VjcmV0\"}"
                .formatted(topic, key),
            token);
    assertThat(answer).startsWith("200 ");
    return Rig.field(answer, "msg_id");
  }

  private static String received(Rig rig, String token, String topic) throws Exception {
    String form = "{\"topic\":\"%s\",\"visibility_ms\":600000}".formatted(topic);
    return rig.ask("POST", "/v1/recv", form, token);
  }

  private static Things things(Rig rig, String token) throws Exception {
    String acked = sent(rig, token, "orders", "acked");
    received(rig, token, "orders");
    assertThat(rig.ask("POST", "/v1/ack/" + acked, "{}", token)).startsWith("200 ");
    String dead = sent(rig, token, "orders", "dead");
    String receipt = Rig.field(received(rig, token, "orders"), "receipt");
    String nack = "{\"receipt\":\"%s\"}".formatted(receipt);
    assertThat(rig.ask("POST", "/v1/nack/" + dead, nack, token)).startsWith("200 ");
    String flying = sent(rig, token, "orders", "flying");
    String held = Rig.field(received(rig, token, "orders"), "receipt");
    return new Things(sent(rig, token, "orders", "ready"), flying, held, dead, acked);
  }

  /** What another tenant may try, by the operation's name: method, path and body each. */
  private static Map<String, List<String>> attempts(Things of) {
    var rows = new LinkedHashMap<String, List<String>>();
    String one = "{\"topic\":\"orders\",\"idem_key\":\"ready\",\"payload_b64\":\"AAAA\"}";
    rows.put("send", List.of("POST /v1/send " + one, "POST /v1/send?on_duplicate=refuse " + one));
    rows.put("send-batch", List.of("POST /v1/send/batch {\"messages\":[" + one + "]}"));
    for (String verb : List.of("ack", "nack", "extend")) {
      var singly = new ArrayList<String>();
      var together = new ArrayList<String>();
      for (String id : List.of(of.ready, of.flying, of.dead, of.acked)) {
        singly.add("POST /v1/%s/%s {}".formatted(verb, id));
        singly.add("POST /v1/%s/%s {\"receipt\":\"%s\"}".formatted(verb, id, of.receipt));
        together.add(
            "POST /v1/%s {\"entries\":[{\"msg_id\":\"%s\",\"receipt\":\"%s\"}]}"
                .formatted(verb, id, of.receipt));
      }
      rows.put(verb, singly);
      rows.put(verb + "-batch", together);
    }
    rows.put("topics", List.of("GET /v1/topics "));
    rows.put("metrics", List.of("GET /metrics "));
    rows.put(
        "topic",
        List.of(
            "GET /v1/topics/orders ",
            "GET /v1/topics/~acme%2Forders ",
            "GET /v1/topics/~acme/orders ",
            "GET /v1/topics/%7Eacme%2Forders "));
    rows.put(
        "recv",
        List.of(
            "POST /v1/recv {\"topic\":\"orders\",\"max_messages\":100}",
            "POST /v1/recv {\"topic\":\"~acme/orders\"}"));
    rows.put(
        "recv-peek",
        List.of("GET /v1/peek?topic=orders ", "GET /v1/peek?topic=~acme/orders&limit=32 "));
    rows.put(
        "purge",
        List.of(
            "POST /v1/purge {\"topic\":\"orders\"}",
            "POST /v1/purge {\"topic\":\"~acme/orders\"}"));
    rows.put("recv-stream", List.of("STREAM /v1/recv/stream {\"topic\":\"~acme/orders\"}"));
    rows.put(
        "dlq-list",
        List.of(
            "GET /v1/dlq ",
            "GET /v1/dlq?topic=orders ",
            "GET /v1/dlq?topic=~acme/orders ",
            "GET /v1/dlq?after=00000000000000000000000000 "));
    rows.put(
        "dlq-reprocess",
        List.of(
            "POST /v1/dlq/reprocess {}",
            "POST /v1/dlq/reprocess {\"topic\":\"orders\"}",
            "POST /v1/dlq/reprocess {\"topic\":\"~acme/orders\"}"));
    for (String id : List.of(of.dead, of.ready, of.acked)) {
      String path = "/v1/dlq/" + id;
      rows.computeIfAbsent("dlq-show", _ -> new ArrayList<>()).add("GET " + path + " ");
      rows.computeIfAbsent("dlq-drop", _ -> new ArrayList<>()).add("DELETE " + path + " ");
      rows.computeIfAbsent("dlq-copy", _ -> new ArrayList<>())
          .add("POST " + path + "/copy {\"idem_key\":\"copied\"}");
      rows.computeIfAbsent("dlq-reprocess-one", _ -> new ArrayList<>())
          .add("POST " + path + "/reprocess {}");
    }
    return rows;
  }

  private static Map<String, List<UnknownFieldSet>> calls(Things of) {
    var rows = new LinkedHashMap<String, List<UnknownFieldSet>>();
    UnknownFieldSet send =
        new GrpcCalls.Message().text(1, "orders").text(2, "ready").text(3, "x").done();
    rows.put("Send", List.of(send));
    rows.put(
        "SendBatch",
        List.of(new GrpcCalls.Message().raw(1, ByteString.copyFrom(send.toByteArray())).done()));
    for (String verb : List.of("Ack", "Nack", "Extend")) {
      rows.put(
          verb,
          Stream.of(of.ready, of.flying, of.dead, of.acked)
              .map(id -> new GrpcCalls.Message().text(1, id).text(2, of.receipt).done())
              .toList());
    }
    UnknownFieldSet all = new GrpcCalls.Message().done();
    UnknownFieldSet orders = new GrpcCalls.Message().text(1, "orders").done();
    UnknownFieldSet marked = new GrpcCalls.Message().text(1, "~acme/orders").done();
    for (String verb : List.of("Receive", "ReceiveStream", "Topics", "DeadLetters")) {
      rows.put(verb, verb.equals("ReceiveStream") ? List.of(marked) : List.of(all, orders, marked));
    }
    List<UnknownFieldSet> byId =
        Stream.of(of.dead, of.ready, of.acked)
            .map(id -> new GrpcCalls.Message().text(1, id).done())
            .toList();
    rows.put("DeadLetter", byId);
    rows.put("Drop", byId);
    rows.put(
        "Reprocess",
        List.of(byId.getFirst(), all, new GrpcCalls.Message().text(2, "~acme/orders").done()));
    return rows;
  }

  /** An answer without what chance and the clock put into it. */
  private static String answer(Rig rig, String attempt, String token) throws Exception {
    String[] words = attempt.split(" ", 3);
    String said =
        words[0].equals("STREAM")
            ? rig.firstLine(words[1], words[2], token)
            : rig.ask(words[0], words[1], words[2], token);
    return words[1].equals("/metrics") ? namesAlone(said) : masked(said);
  }

  /** Of metrics what names a tenant's things; how much the server did differs. */
  private static String namesAlone(String metrics) {
    return metrics
        .lines()
        .filter(line -> line.contains("{") && line.matches(".*(topic|tenant)=.*|.*acme.*"))
        .filter(line -> !line.startsWith("bus_lagged_total"))
        .sorted()
        .collect(Collectors.joining("\n"));
  }

  private static String masked(String said) {
    return said.replaceAll("[0-9A-HJKMNP-TV-Z]{26}", "ID")
        .replaceAll("\"corr_id\":\"[^\"]*\"", "CORR")
        .replaceAll("\"(ts|receipt|hash_chain|oldest_age_ms)\":[^,}]+", "\"$1\":X")
        // Random bytes that happen to be fields of a message are printed as one, in a block.
        .replaceAll("(?ms)^( *)(3|7|8|11|12): \\{$.*?^\\1\\}$", "")
        .replaceAll("(?m)^ *(3|7|8|11|12): .*$", "");
  }

  private static String everything(Rig rig, String token) throws Exception {
    return rig.get("/v1/topics", token).replaceAll("\"oldest_age_ms\":[0-9]+", "")
        + rig.get("/v1/dlq", token);
  }

  @Test
  void noRouteTellsATenantOfAnothersThings() throws Exception {
    try (Rig full = rig("full");
        Rig empty = rig("empty")) {
      Things things = things(full, ACME);
      Map<String, List<String>> rows = attempts(things);
      assertThat(rows.keySet()).as("a row for each route").isEqualTo(operations(full, ""));
      String before = everything(full, ACME);
      assertThat(before).contains(things.dead).contains("\"topic\":\"orders\"");
      for (Map.Entry<String, List<String>> row : rows.entrySet()) {
        for (String attempt : row.getValue()) {
          assertThat(answer(full, attempt, EVIL))
              .as(attempt)
              .isEqualTo(answer(empty, attempt, EVIL))
              .doesNotContain("c2VjcmV0")
              .doesNotContain("acme");
        }
      }
      assertThat(everything(full, ACME)).isEqualTo(before);
      String ack = "{\"receipt\":\"%s\"}".formatted(things.receipt);
      assertThat(full.ask("POST", "/v1/ack/" + things.flying, ack, ACME)).startsWith("200 ");
      assertThat(full.ask("POST", "/v1/ack/" + things.acked, "{}", ACME)).startsWith("200 ");
    }
  }

  /** At a door of this machine a capability is not asked for; one that is shown adds its own. */
  @Test
  void metricsNameATopicToItsOwnerAndTheOperatorAlone() throws Exception {
    try (Rig rig = rig("full")) {
      things(rig, ACME);
      things(rig, token(new Caveat.Tenant("default")));
      String dead = "dlq_total{reason=\"max-attempts\",topic=\"%s\"} 1.0";
      String theirs = dead.formatted("~acme/orders");
      String plain = dead.formatted("orders");
      assertThat(rig.get("/metrics", OPERATOR)).startsWith("200 ").contains(theirs, plain);
      assertThat(rig.get("/metrics", ACME))
          .startsWith("200 ")
          .contains(theirs)
          .doesNotContain(plain);
      assertThat(rig.get("/metrics", EVIL)).startsWith("200 ").doesNotContain("orders");
      assertThat(rig.get("/metrics")).startsWith("200 ").doesNotContain("orders");
      String sends = token(new Caveat.Operation(Set.of("send")));
      assertThat(rig.get("/metrics", sends)).startsWith("403 ");
    }
  }

  @Test
  void noCallTellsATenantOfAnothersThings() throws Exception {
    try (Rig full = rig("full");
        Rig empty = rig("empty");
        GrpcCalls there = new GrpcCalls(full.wired.door().port());
        GrpcCalls nothing = new GrpcCalls(empty.wired.door().port())) {
      Things things = things(full, ACME);
      Map<String, List<UnknownFieldSet>> rows = calls(things);
      Set<String> named = new TreeSet<>();
      rows.keySet().forEach(name -> named.add("grpc-" + name.toLowerCase(java.util.Locale.ROOT)));
      assertThat(named).as("a row for each call").isEqualTo(operations(full, "grpc-"));
      String before = everything(full, ACME);
      rows.forEach(
          (method, requests) -> {
            for (UnknownFieldSet request : requests) {
              assertThat(masked(there.said(method, request, EVIL)))
                  .as(method + "\n" + request)
                  .isEqualTo(masked(nothing.said(method, request, EVIL)))
                  .doesNotContain("secret");
            }
          });
      assertThat(everything(full, ACME)).isEqualTo(before);
    }
  }

  private static Set<String> operations(Rig rig, String prefix) throws Exception {
    var all = new TreeSet<String>();
    Matcher routes =
        Pattern.compile("\"operationId\":\"([^\"]+)\"").matcher(rig.get("/openapi.json"));
    while (routes.find()) {
      String op = routes.group(1);
      if (!OF_THE_SERVER.contains(op) && op.startsWith("grpc-") == prefix.equals("grpc-")) {
        all.add(op);
      }
    }
    return all;
  }

  @Test
  void topicsOfOneNameAreAsManyAsTheirOwners() throws Exception {
    try (Rig rig = rig("full")) {
      String theirs = token(new Caveat.Tenant("default"));
      for (String token : List.of(ACME, EVIL, theirs)) {
        sent(rig, token, "orders", "same");
      }
      assertThat(received(rig, ACME, "orders"))
          .contains("\"topic\":\"orders\"")
          .contains("\"idem_key\":\"same\"");
      assertThat(received(rig, ACME, "orders")).isEqualTo("200 {\"messages\":[]}");
      assertThat(rig.get("/v1/topics", ACME)).containsOnlyOnce("\"topic\":");
      assertThat(rig.get("/v1/topics", OPERATOR))
          .contains("\"~acme/orders\"", "\"~evil/orders\"", "\"orders\"");
      assertThat(rig.get("/v1/topics/~evil%2Forders", OPERATOR)).startsWith("200 ");
      assertThat(received(rig, OPERATOR, "~evil/orders")).contains("\"topic\":\"~evil/orders\"");
      assertThat(received(rig, OPERATOR, "~default/orders")).contains("\"topic\":\"orders\"");
    }
  }

  /** What was sent without a tenant, as everything was before topics had owners. */
  @Test
  void whatHasNoTenantIsTheDefaultTenantsAndTheOperators() throws Exception {
    try (Rig rig = rig("full")) {
      sent(rig, OPERATOR, "orders.eu", "first");
      sent(rig, OPERATOR, "acme/orders", "second");
      assertThat(received(rig, ACME, "orders")).isEqualTo("200 {\"messages\":[]}");
      assertThat(received(rig, token(new Caveat.Tenant("default")), "orders.eu"))
          .contains("\"first\"");
      assertThat(received(rig, OPERATOR, "acme/orders")).contains("\"second\"");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "~acme/orders",
        "~evil/orders",
        "~/orders",
        "~acme",
        "~default/orders",
        "../acme/orders",
        "~acme/../orders",
        "%7Eacme/orders",
        "~acme%2Forders",
        "/~acme/orders",
        "orders/~acme/x",
        "~acme/sqs/1/q",
        "~ACME/orders\\u0000",
        "ː~acme/orders"
      })
  void noTenantNamesAnOwner(String topic) throws Exception {
    try (Rig rig = rig("full")) {
      String form =
          "{\"topic\":\"%s\",\"idem_key\":\"k\",\"payload_b64\":\"AAAA\"}".formatted(topic);
      assertThat(rig.ask("POST", "/v1/send", form, EVIL)).startsWith("400 ");
      assertThat(received(rig, EVIL, topic)).startsWith("400 ");
      assertThat(rig.get("/v1/topics", OPERATOR)).isEqualTo("200 {\"topics\":[]}");
    }
  }

  @Test
  void aPrefixHoldsWithinItsTenant() throws Exception {
    String narrow = token(new Caveat.Tenant("acme"), new Caveat.Prefix("orders"));
    String ofDots = token(new Caveat.Prefix("~a"));
    try (Rig rig = rig("full")) {
      String id = sent(rig, narrow, "orders.eu", "k");
      String other = sent(rig, ACME, "bills", "k");
      assertThat(received(rig, narrow, "bills")).startsWith("403 ");
      assertThat(rig.ask("POST", "/v1/ack/" + other, "{}", narrow)).startsWith("403 ");
      assertThat(rig.get("/v1/topics", narrow)).contains("orders.eu").doesNotContain("bills");
      assertThat(rig.ask("POST", "/v1/ack/" + id, "{}", narrow)).startsWith("200 ");
      assertThat(received(rig, ofDots, "~a.b/orders")).startsWith("403 ");
      assertThat(received(rig, ofDots, "~a/orders")).startsWith("200 ");
      String odd = token(new Caveat.Tenant("a..b:-"));
      sent(rig, odd, "orders", "k");
      assertThat(received(rig, OPERATOR, "~a..b:-/orders")).contains("~a..b:-/orders");
    }
  }

  @Test
  void everyNameLastsThroughARestart() throws Exception {
    String acked;
    try (Rig rig = rig("full")) {
      acked = things(rig, ACME).acked;
    }
    try (Rig rig = rig("full")) {
      assertThat(rig.get("/v1/topics", ACME)).contains("\"topic\":\"orders\"");
      assertThat(rig.get("/v1/topics", EVIL)).isEqualTo("200 {\"topics\":[]}");
      assertThat(rig.ask("POST", "/v1/ack/" + acked, "{}", ACME)).startsWith("200 ");
      assertThat(rig.ask("POST", "/v1/ack/" + acked, "{}", EVIL)).startsWith("404 ");
      assertThat(rig.ask("POST", "/v1/ack/" + acked, "{}", OPERATOR)).startsWith("200 ");
    }
  }
}
