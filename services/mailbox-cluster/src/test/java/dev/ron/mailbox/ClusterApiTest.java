package dev.ron.mailbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.UnknownFieldSet;
import dev.ron.http.tls.DevCertificate;
import dev.ron.testkit.Golden;
import io.grpc.CallOptions;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Any machine can be asked: {@code a} and {@code b} forward what they do not lead, {@code c}
 * redirects. They know each other by a certificate that {@code ron cert dev} would make.
 */
final class ClusterApiTest {
  private static final int GROUPS = 3;
  private static final AtomicInteger PROBED = new AtomicInteger();
  private static final List<String> NAMES = Machines.NAMES;

  private static final JsonMapper MAPPER = JsonMapper.shared();
  private static final String ANSWER = "/responses/200/content/application~1json/schema";

  @TempDir private static Path folder;
  private static DevCertificate tls;
  private static Members members;

  @BeforeAll
  static void start() throws Exception {
    tls = DevCertificate.make(folder.resolve("tls"), Instant.now());
    members = new Members(folder);
    for (String name : NAMES) {
      start(name);
    }
    members.awaitAllReady();
  }

  private static void start(String name) throws Exception {
    members.start(
        name,
        "cluster.tls.cert=" + tls.certificate(),
        "cluster.tls.key=" + tls.key(),
        "cluster.tls.ca=" + tls.certificate(),
        "cluster.follower=" + (name.equals("c") ? "redirect" : "forward"),
        "cluster.doors=" + members.doorsTable());
  }

  @AfterAll
  static void stop() {
    members.close();
  }

  private static UnknownFieldSet call(String name, String method, GrpcCalls.Message form)
      throws Exception {
    Instant limit = members.time.now().plus(Machines.LIMIT);
    try (var calls = new GrpcCalls(members.port(name))) {
      while (true) {
        try {
          return calls.call(method, form.done(), CallOptions.DEFAULT);
        } catch (StatusRuntimeException refused) {
          if (refused.getStatus().getCode() != Status.Code.UNAVAILABLE
              || members.time.now().isAfter(limit)) {
            throw refused;
          }
        }
      }
    }
  }

  private static String text(UnknownFieldSet message, int field) {
    return message.getField(field).getLengthDelimitedList().getFirst().toString(UTF_8);
  }

  /** One of three leads the topic, so two of three calls are forwarded; c forwards gRPC too. */
  @Test
  void grpcIsForwardedByWhoeverDoesNotLead() throws Exception {
    var ids = new HashSet<String>();
    for (String name : NAMES) {
      var letter = new GrpcCalls.Message().text(1, "calls").text(2, name).text(3, "hello");
      ids.add(text(call(name, "Send", letter), 1));
    }
    assertThat(ids).hasSize(3);
    for (String name : NAMES) {
      var request = new GrpcCalls.Message().text(1, "calls").number(2, 60_000).number(3, 1);
      var envelope =
          UnknownFieldSet.parseFrom(
              call(name, "Receive", request).getField(1).getLengthDelimitedList().getFirst());
      assertThat(ids.remove(text(envelope, 1))).isTrue();
      var settled = new GrpcCalls.Message().text(1, text(envelope, 1)).text(2, text(envelope, 11));
      call(Machines.other(name), "Ack", settled);
    }
    assertThat(ids).isEmpty();
  }

  @Test
  void aFollowerThatIsToldToRedirectsToTheLeadersDoor() throws Exception {
    String topic = topicLedBy("a");
    String form =
        "{\"topic\":\"%s\",\"idem_key\":\"r1\",\"payload_b64\":\"aGk=\"}".formatted(topic);
    HttpResponse<String> sent = members.persistently("c", "/v1/send?on_duplicate=refuse", form);
    assertThat(sent.statusCode()).as(sent.body()).isEqualTo(307);
    assertThat(sent.headers().firstValue("Location"))
        .contains(members.uri("a", "/v1/send?on_duplicate=refuse").toString());
    String id = Rig.field(followed(sent, form), "msg_id");

    HttpResponse<String> received =
        members.persistently("c", "/v1/recv", "{\"topic\":\"%s\"}".formatted(topic));
    assertThat(received.statusCode()).isEqualTo(307);
    String got = followed(received, "{\"topic\":\"%s\"}".formatted(topic));
    assertThat(Rig.field(got, "msg_id")).isEqualTo(id);

    String receipt = "{\"receipt\":\"%s\"}".formatted(Rig.field(got, "receipt"));
    HttpResponse<String> acked = members.persistently("c", "/v1/ack/" + id, receipt);
    assertThat(acked.statusCode()).isEqualTo(307);
    assertThat(followed(acked, receipt)).isEqualTo("{\"ok\":true}");
  }

  /** What concerns several shards has no one door. */
  @Test
  void batchesAreForwardedEvenByAMachineThatRedirects() throws Exception {
    String one = "{\"topic\":\"%s\",\"idem_key\":\"batch\",\"payload_b64\":\"aGk=\"}";
    String form =
        "{\"messages\":[%s,%s]}"
            .formatted(one.formatted(topicLedBy("a")), one.formatted(topicLedBy("b")));
    members.await(
        "both are taken",
        () -> {
          HttpResponse<String> sent = members.json("c", "/v1/send/batch", form);
          assertThat(sent.statusCode()).isEqualTo(200);
          return sent.body().split("msg_id", -1).length == 3;
        });
  }

  /** Of the groups' topics one that a machine leads now; handed to it if there is none. */
  private static String topicLedBy(String name) throws Exception {
    List<String> leaders = members.leaders(name);
    int group = Math.max(0, leaders.indexOf(name));
    if (!leaders.get(group).equals(name)) {
      handTo(group, name);
    }
    while (true) {
      String topic = "probed-" + PROBED.incrementAndGet();
      members.send(name, topic, "probe");
      String request = "{\"topic\":\"%s\",\"visibility_ms\":600000}".formatted(topic);
      String got = members.persistently(name, "/v1/recv", request).body();
      if (Integer.parseInt(Rig.field(got, "shard")) % GROUPS == group) {
        String receipt = "{\"receipt\":\"%s\"}".formatted(Rig.field(got, "receipt"));
        String ack = "/v1/ack/" + Rig.field(got, "msg_id");
        assertThat(members.persistently(name, ack, receipt).statusCode()).isEqualTo(200);
        return topic;
      }
    }
  }

  private static void handTo(int group, String name) throws Exception {
    String form = "{\"group\":%d,\"node\":\"%s\"}".formatted(group, name);
    members.await(
        "group %d is handed to %s".formatted(group, name),
        () ->
            members.json("b", "/v1/cluster/transfer", form).statusCode() == 200
                && members.leaderNow(group, NAMES).equals(name));
    members.await(
        "c knows that " + name + " leads", () -> members.leaders("c").get(group).equals(name));
  }

  private static String followed(HttpResponse<String> redirect, String form) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(redirect.headers().firstValue("Location").orElseThrow()))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(form))
            .build();
    HttpResponse<String> answer = members.http.send(request, HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  @Test
  void leadershipIsHandedOverWhenAnOperatorAsksAndSpreadByItself() throws Exception {
    for (int group = 0; group < GROUPS; group++) {
      handTo(group, "b");
      handTo(group, "c");
    }
    // Two of three are on their way back from c by themselves.
    members.await(
        "each leads one", () -> new HashSet<>(members.leaders("a")).equals(new HashSet<>(NAMES)));
  }

  @Test
  void aMachineWithoutQuorumSaysSoAndTellsHowOldItsStateIs() throws Exception {
    String topic = topicLedBy("a");
    members.send("a", topic, "k");
    members.await("a knows", () -> members.get("a", "/v1/topics/" + topic).startsWith("200"));
    members.stop("b", "c");
    String form =
        "{\"topic\":\"%s\",\"idem_key\":\"k2\",\"payload_b64\":\"aGk=\"}".formatted(topic);
    var undecided = CompletableFuture.supplyAsync(() -> sendOnce("a", form));
    members.await(
        "a says so, and shows meanwhile what it knows",
        () -> {
          assertThat(members.get("a", "/v1/topics")).startsWith("200");
          return members.get("a", "/readyz").contains("no quorum");
        });
    assertThat(undecided.get(20, TimeUnit.SECONDS)).isEqualTo(503);
    assertThat(members.get("a", "/readyz")).startsWith("503");
    HttpResponse<String> refused = members.json("a", "/v1/send", form);
    assertThat(refused.statusCode()).as(refused.body()).isEqualTo(503);
    assertThat(refused.headers().firstValue("Retry-After")).isPresent();
    HttpResponse<String> seen = members.look("a", "/v1/topics");
    assertThat(seen.body()).contains("\"topic\":\"" + topic + "\"");
    assertThat(Long.parseLong(seen.headers().firstValue("Ron-State-Age-Ms").orElseThrow()))
        .isPositive();

    start("b");
    start("c");
    members.awaitAllReady();
    members.send("a", topic, "k2");
  }

  private static int sendOnce(String name, String form) {
    try {
      return members.json(name, "/v1/send", form).statusCode();
    } catch (IOException | InterruptedException broken) {
      throw new AssertionError(broken);
    }
  }

  @Test
  void aPeerNeedsACertificateOfTheAuthority() throws Exception {
    int port = members.peerPort("a");
    assertThat(PeerPort.saidInTheClear(port)).as("in the clear").isNotEqualTo(PeerPort.SETTINGS);
    assertThatThrownBy(() -> PeerPort.saidToAnybody(port, tls.certificate()))
        .as("TLS, but nobody that is known")
        .isInstanceOf(IOException.class);
  }

  @Test
  void whatIsSeenSaysHowOldItMayBe() throws Exception {
    members.send("a", "seen", "k");
    for (String name : NAMES) {
      members.await(name, () -> members.get(name, "/v1/topics/seen").startsWith("200"));
      for (String path : List.of("/v1/topics", "/v1/topics/seen", "/v1/dlq")) {
        HttpResponse<String> answer = members.look(name, path);
        assertThat(answer.headers().firstValue("Ron-State-Age-Ms"))
            .as("%s of %s", path, name)
            .hasValueSatisfying(age -> assertThat(Long.parseLong(age)).isBetween(0L, 60_000L));
      }
      assertThat(members.get(name, "/v1/cluster"))
          .startsWith("200")
          .contains("\"node\":\"" + name + "\"", "\"age_ms\":", "\"matched\":", "\"silence_ms\":");
    }
  }

  /** A mailbox of one machine has the same without what is about the groups. */
  @Test
  void theDocumentIsThePageThatIsKept() throws Exception {
    String json = members.get("a", "/openapi.json").substring("200 ".length());
    JsonNode document = MAPPER.readTree(json);
    String page = MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(document);
    Golden.matches("docs/openapi/mailbox-cluster.json", page + "\n");
  }

  @Test
  void theGroupsAreShownByTheSchema() throws Exception {
    JsonNode paths =
        MAPPER.readTree(members.get("a", "/openapi.json").substring("200 ".length())).get("paths");
    for (String path : List.of("/join", "/leave", "/transfer")) {
      JsonNode verb = paths.get("/v1/cluster" + path).get("post");
      JsonNode takes = verb.at("/requestBody/content/application~1json/schema");
      assertThat(takes.get("additionalProperties").booleanValue()).as(path).isFalse();
      assertThat(fields(verb)).as(path).containsExactly("ok");
    }
    JsonNode status = paths.get("/v1/cluster").get("get");
    assertThat(fields(status)).containsExactly("node", "groups");
    JsonNode groups = status.at(ANSWER + "/properties/groups/items/properties");
    JsonNode peers = groups.at("/peers/items/properties");
    JsonNode said = MAPPER.readTree(members.get("a", "/v1/cluster").substring("200 ".length()));
    assertThat(said.get("groups").size()).isEqualTo(GROUPS);
    for (JsonNode group : said.get("groups").values()) {
      assertThat(withLeader(group)).containsExactlyElementsOf(groups.propertyNames());
      assertThat(group.get("peers").size()).isEqualTo(NAMES.size());
      for (JsonNode peer : group.get("peers").values()) {
        assertThat(peer.propertyNames()).containsExactlyElementsOf(peers.propertyNames());
      }
    }
  }

  /** The names of its fields; while no leader is known, that one may be missing. */
  private static List<String> withLeader(JsonNode group) {
    var names = new ArrayList<>(group.propertyNames());
    if (!names.contains("leader")) {
      names.add(names.indexOf("leads"), "leader");
    }
    return names;
  }

  private static Collection<String> fields(JsonNode operation) {
    return operation.at(ANSWER + "/properties").propertyNames();
  }
}
