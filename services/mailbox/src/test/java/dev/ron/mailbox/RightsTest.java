package dev.ron.mailbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.capability.KeyRing;
import dev.ron.capability.Macaroon;
import dev.ron.capability.Revocations;
import dev.ron.capability.TokenId;
import dev.ron.capability.TokenMint;
import dev.ron.capability.Trust;
import dev.ron.capability.Verifier;
import dev.ron.capability.caveat.Caveat;
import dev.ron.mailbox.api.MailboxRights;
import dev.ron.mailbox.core.queue.QueueTopic;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RightsTest {
  private final SplittableRandom random = new SplittableRandom(5);
  private final KeyRing ring = KeyRing.generate(random);
  private final Verifier verifier = new Verifier(new Trust(ring, new Revocations(Set.of())));

  @TempDir private Path folder;

  @Test
  void aCapabilityIsHeldToItsOperationsAndTopics() throws Exception {
    String sender = token(new Caveat.Operation(Set.of("send")), new Caveat.Prefix("orders"));
    String reader = token(new Caveat.Operation(Set.of("recv", "ack")), new Caveat.Prefix("orders"));
    String other = token(new Caveat.Prefix("bills"));
    String small = token(new Caveat.Bytes(1));
    try (Rig rig = new Rig(folder, Map.of(), verifier)) {
      assertThat(send(rig, "orders.eu", "")).startsWith("401 ").contains("cap-auth");
      assertThat(send(rig, "orders.eu", "bm90aGluZw")).startsWith("401 ").contains("cap-auth");
      assertThat(send(rig, "orders.eu", reader)).startsWith("403 ").contains("cap-scope");
      assertThat(send(rig, "orders.eu", other)).startsWith("403 ").contains("cap-scope");
      assertThat(send(rig, "ordersX", sender)).startsWith("403 ").contains("cap-scope");
      assertThat(send(rig, "orders.eu", small)).startsWith("403 ").contains("cap-scope");
      String sent = send(rig, "orders.eu", sender);
      assertThat(sent).startsWith("200 ");
      String ack = "/v1/ack/" + Rig.field(sent, "msg_id");
      assertThat(post(rig, ack, "{}", other)).startsWith("403 ").contains("cap-scope");
      assertThat(post(rig, ack, "{}", sender)).startsWith("403 ").contains("cap-scope");
      assertThat(post(rig, "/v1/recv", "{\"topic\":\"orders.eu\"}", sender)).startsWith("403 ");
      assertThat(post(rig, "/v1/recv", "{\"topic\":\"orders.eu\"}", reader)).startsWith("200 ");
      assertThat(post(rig, ack, "{}", reader)).startsWith("200 ");
      assertThat(post(rig, "/v1/dlq/reprocess", "{}", reader)).startsWith("403 ");
      assertThat(post(rig, "/v1/dlq/reprocess", "{}", token())).startsWith("200 ");
      assertThat(rig.get("/v1/topics")).startsWith("401 ");
      assertThat(rig.get("/healthz")).startsWith("200 ");
    }
  }

  @Test
  void theQueuesOfAnotherTenantAreNotReached() throws Exception {
    String own = "sqs/" + QueueTopic.accountOf("one") + "/q";
    String elsewhere = "sqs/eu-west-1/" + QueueTopic.accountOf("one") + "/q";
    String tricked =
        "sqs/" + QueueTopic.accountOf("two") + "/" + QueueTopic.accountOf("one") + "/q";
    String one = token(new Caveat.Tenant("one"));
    String two = token(new Caveat.Tenant("two"));
    try (Rig rig = new Rig(folder, Map.of(), verifier)) {
      for (String topic : List.of(own, elsewhere)) {
        assertThat(send(rig, topic, one)).startsWith("200 ");
        assertThat(send(rig, topic, two)).startsWith("403 ").contains("cap-scope");
        assertThat(post(rig, "/v1/recv", "{\"topic\":\"%s\"}".formatted(topic), two))
            .startsWith("403 ");
      }
      assertThat(send(rig, tricked, one)).startsWith("403 ");
      assertThat(rig.get("/v1/topics", two)).startsWith("200 ").doesNotContain(own);
      assertThat(send(rig, "orders", two)).as("topics that are no queues").startsWith("200 ");
    }
  }

  @Test
  void aRevokedCapabilityIsWorthNothing() throws Exception {
    Macaroon macaroon = new TokenMint(ring, random).mint(List.of());
    try (Rig rig = new Rig(folder, Map.of(), verifier)) {
      assertThat(send(rig, "t", macaroon.token())).startsWith("200 ");
      TokenId id = TokenId.parse(macaroon.identifier()).orElseThrow();
      verifier.trust(
          trust -> new Trust(trust.keys(), new Revocations(Set.of(id)), trust.registered()));
      assertThat(send(rig, "t", macaroon.token())).startsWith("401 ").contains("revoked");
    }
  }

  @Test
  void aRateHoldsForACapabilityAndItsCopiesTogether() throws Exception {
    String twice = token(new Caveat.Rate(2));
    try (Rig rig = new Rig(folder, Map.of(), verifier)) {
      assertThat(send(rig, "t", twice)).startsWith("200 ");
      assertThat(send(rig, "t", twice)).startsWith("200 ");
      assertThat(send(rig, "t", twice)).startsWith("429 ").contains("the rate of the capability");
      assertThat(send(rig, "t", token())).as("others are not held").startsWith("200 ");
    }
  }

  /** Of the head alone, so that a forged token costs no parsing and learns nothing. */
  @Test
  void whatIsWorthNothingIsRefusedBeforeAnythingIsRead() throws Exception {
    String reader = token(new Caveat.Operation(Set.of("recv")));
    try (Rig rig = new Rig(folder, Map.of(), verifier)) {
      for (String garbage : List.of("garbage", "bm90aGluZw", altered())) {
        assertThat(rig.get("/v1/topics", garbage)).startsWith("401 ").contains("cap-auth");
        assertThat(rig.get("/v1/dlq/01ARZ3NDEKTSV4RRFFQ69G5FAV", garbage)).startsWith("401 ");
        assertThat(rig.get("/v1/dlq/nothing", garbage)).startsWith("401 ");
        assertThat(post(rig, "/v1/send", "not json", garbage)).startsWith("401 ");
        assertThat(post(rig, "/v1/ack/nothing", "not json", garbage)).startsWith("401 ");
      }
      assertThat(post(rig, "/v1/send", "not json", reader)).startsWith("403 ");
      assertThat(post(rig, "/v1/send/batch", "not json", reader)).startsWith("403 ");
      assertThat(rig.get("/v1/dlq/nothing", reader)).startsWith("403 ");
      assertThat(rig.get("/v1/topics", reader)).startsWith("403 ");
      assertThat(post(rig, "/v1/recv", "not json", reader)).startsWith("400 ");
    }
  }

  private String altered() {
    String good = token();
    return good.substring(0, good.length() - 2) + "AA";
  }

  @Test
  void aListOfTopicsIsOneRequest() throws Exception {
    String five = token(new Caveat.Rate(5));
    try (Rig rig = new Rig(folder, Map.of(), verifier)) {
      for (int i = 0; i < 20; i++) {
        assertThat(send(rig, "t" + i, token())).startsWith("200 ");
      }
      assertThat(rig.get("/v1/topics", five)).startsWith("200 ").contains("\"t0\"", "\"t19\"");
    }
  }

  @Test
  void everyRouteAsksForAnOperationOfCapabilities() throws Exception {
    Set<String> operations =
        Set.of("send", "recv", "ack", "nack", "extend", "topics", "dlq", "purge", "cluster");
    try (Rig rig = new Rig(folder, Map.of(), verifier)) {
      String described = rig.get("/openapi.json");
      Matcher routes = Pattern.compile("\"operationId\":\"([^\"]+)\"").matcher(described);
      int found = 0;
      while (routes.find()) {
        String op = routes.group(1);
        if (!Set.of("healthz", "readyz", "metrics", "version", "openapi").contains(op)) {
          assertThat(operations).as(op).contains(MailboxRights.operation(op));
          found++;
        }
      }
      assertThat(found).as(described).isGreaterThan(20);
    }
  }

  @Test
  void overGrpcACapabilityIsHeldToTheSame() throws Exception {
    String reader = token(new Caveat.Operation(Set.of("recv")));
    try (Rig rig = new Rig(folder, Map.of(), verifier);
        GrpcCalls calls = new GrpcCalls(rig.wired.door().port())) {
      assertThat(calls.send("orders", "k", "")).isEqualTo("UNAUTHENTICATED cap-auth");
      assertThat(calls.send("orders", "k", "garbage")).isEqualTo("UNAUTHENTICATED cap-auth");
      assertThat(calls.send("orders", "k", reader)).isEqualTo("PERMISSION_DENIED cap-scope");
      assertThat(calls.send("orders", "k", token())).isEqualTo("OK");
    }
  }

  private String token(Caveat... caveats) {
    return new TokenMint(ring, random).mint(Stream.of(caveats).toList()).token();
  }

  private static String send(Rig rig, String topic, String token) throws Exception {
    return post(
        rig,
        "/v1/send",
        "{\"topic\":\"%s\",\"idem_key\":\"k\",\"payload_b64\":\"AAAA\"}".formatted(topic),
        token);
  }

  private static String post(Rig rig, String path, String json, String token) throws Exception {
    var answer = rig.exchange(path, "application/json", json.getBytes(UTF_8), token);
    return answer.statusCode() + " " + answer.body();
  }
}
