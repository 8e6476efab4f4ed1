package dev.ron.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.capability.KeyPair;
import dev.ron.capability.TokenMint;
import dev.ron.capability.caveat.Caveat;
import dev.ron.kernel.time.Deadline;
import dev.ron.sigv4.PayloadMode;
import dev.ron.sigv4.RequestSigner;
import dev.ron.sigv4.ServiceRules;
import dev.ron.sigv4.SignedRequest;
import dev.ron.testkit.FreePorts;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every limit of {@code [[tenants]]} at every door of one node: what is said over it, live on
 * reload. Each row has a tenant of its own, so one table holds all of them.
 *
 * <p>That the time told is exact to the nanosecond is shown in virtual time by {@code
 * TenantLimitsTest} of lib/http; here it must be what the rate says, less what has passed.
 */
@Timeout(180)
final class TenantLimitTableTest {
  /** The least of a rate, and a body and an answer that owe it many seconds. */
  private static final int BODY_BYTES = 60;

  private static final int BYTES_PER_SECOND = 10;

  @TempDir private Path folder;
  private final HttpClient client = HttpClient.newHttpClient();

  /** What a door asks with, and the words of its refusals. */
  private enum Door {
    GATEWAY("GET /v1/topics"),
    EDGE("GET /edge/packs"),
    MAILBOX("GET /v1/topics"),
    STORAGE("GET /o"),
    REWARDER("GET /rewarder/epochs"),
    S3("PUT /none/x"),
    SQS("POST /");

    private final String line;

    Door(String line) {
      this.line = line;
    }

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Status and code of a refusal that waiting ends. */
    String slow(String code) {
      return switch (this) {
        case S3 -> "503 SlowDown";
        case SQS -> "403 RequestThrottled";
        default -> "429 " + code;
      };
    }

    /** Of one that it does not. */
    String barred() {
      return switch (this) {
        case S3 -> "403 AccessDenied";
        case SQS -> "403 OverLimit";
        default -> "429 tenant-barred";
      };
    }
  }

  /** One limit at one door. */
  private record Row(Door door, String limit, String value) {
    String tenant() {
      return door.word() + "." + limit;
    }

    String entry() {
      return "[[tenants]]\nname = \"%s\"\n%s = %s\n".formatted(tenant(), limit, value);
    }
  }

  private static List<Row> rows() {
    var rows = new ArrayList<Row>();
    for (Door door : Door.values()) {
      rows.add(new Row(door, "requests_per_second", "1"));
      rows.add(new Row(door, "bytes_in_per_second", "\"%dB\"".formatted(BYTES_PER_SECOND)));
      rows.add(new Row(door, "bytes_out_per_second", "\"1B\""));
      rows.add(new Row(door, "in_flight", "0"));
      rows.add(new Row(door, "connections", "0"));
    }
    return rows;
  }

  /**
   * With a connection of its own: one that several tenants use is a proxy's and counts for none.
   */
  private static HttpResponse<String> ask(RunningNode node, Door door, String tenant)
      throws Exception {
    String[] words = door.line.split(" ", -1);
    byte[] body = "x".repeat(BODY_BYTES).getBytes(UTF_8);
    URI uri = URI.create(node.url(door.word())).resolve(words[1]);
    var request = HttpRequest.newBuilder(uri);
    if (door == Door.S3) {
      signed(node, tenant, words, uri).forEach(request::header);
    } else {
      request.header(
          "Authorization", "Bearer " + node.keys().mint(List.of(new Caveat.Tenant(tenant))));
    }
    if (door == Door.SQS) {
      request.header("Content-Type", "application/x-amz-json-1.0");
      request.header("X-Amz-Target", "AmazonSQS.ListQueues");
      body = "{%s}".formatted(" ".repeat(BODY_BYTES - 2)).getBytes(UTF_8);
    }
    try (HttpClient own = HttpClient.newHttpClient()) {
      return own.send(
          request.method(words[0], HttpRequest.BodyPublishers.ofByteArray(body)).build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }

  private static Map<String, String> signed(
      RunningNode node, String tenant, String[] words, URI uri) {
    KeyPair pair =
        KeyPair.of(
            new TokenMint(node.keys().ring(), new SecureRandom())
                .mint(List.of(new Caveat.Tenant(tenant))));
    var signer =
        new RequestSigner(
            ServiceRules.S3, pair.accessKeyId(), pair.secret(), Optional.empty(), "us-east-1");
    var unsigned =
        new SignedRequest(
            words[0], words[1], "", List.of(new SignedRequest.Header("host", uri.getAuthority())));
    var fields = new LinkedHashMap<String, String>();
    signer.sign(unsigned, new PayloadMode.Unsigned(), Instant.now()).request().headers().stream()
        .filter(each -> !each.name().equalsIgnoreCase("host"))
        .forEach(each -> fields.put(each.name(), each.value()));
    return fields;
  }

  private static boolean refused(HttpResponse<String> answer, Row row) {
    return answer.body().contains("tenant " + row.tenant()) && answer.body().contains(row.limit());
  }

  private void reload(RunningNode node, String text) throws Exception {
    Files.writeString(folder.resolve("ron.toml"), text);
    assertThat(node.node().reload().await(Deadline.NEVER).isRefused()).isFalse();
  }

  @Test
  void everyLimitOfADoorHoldsAtEveryDoorAndIsLive() throws Exception {
    Path file = Files.writeString(folder.resolve("ron.toml"), "");
    // The gateway's upstreams are the other doors, so these have to be known.
    String port = Integer.toString(FreePorts.row(AdminConfig.PORT_OFFSET + 1));
    try (RunningNode node =
        RunningNode.start(folder.resolve("data"), Map.of("node.base_port", port), file)) {
      var all = new SoftAssertions();
      var table = new StringBuilder();
      for (Row row : rows()) {
        all.assertThat(refused(ask(node, row.door(), row.tenant()), row))
            .as("before: " + row)
            .isFalse();
        table.append(row.entry());
      }
      reload(node, table.toString());
      for (Row row : rows()) {
        hold(node, row, all);
      }
      reload(node, "");
      for (Row row : rows()) {
        all.assertThat(refused(ask(node, row.door(), row.tenant()), row))
            .as("after: " + row)
            .isFalse();
      }
      all.assertAll();
    }
  }

  private void hold(RunningNode node, Row row, SoftAssertions all) throws Exception {
    long begun = System.nanoTime();
    HttpResponse<String> answer = ask(node, row.door(), row.tenant());
    int tries = 0;
    while (!refused(answer, row) && tries++ < 20) {
      answer = ask(node, row.door(), row.tenant());
    }
    double passed = (System.nanoTime() - begun) / 1e9;
    String told = answer.statusCode() + " " + answer.body();
    Optional<Integer> rest = answer.headers().firstValue("Retry-After").map(Integer::parseInt);
    boolean zero = row.value().equals("0");
    String expected = zero ? row.door().barred() : row.door().slow("tenant-rate");
    all.assertThat(told).as(row.toString()).contains(expected.split(" ", -1));
    all.assertThat(told).as(row.toString()).contains("tenant " + row.tenant(), row.limit());
    if (zero) {
      all.assertThat(rest).as(row.toString()).isEmpty();
      return;
    }
    int longest =
        switch (row.limit()) {
          case "requests_per_second" -> 1;
          // What was announced is taken at once, and as much has to be there again.
          case "bytes_in_per_second" -> BODY_BYTES / BYTES_PER_SECOND;
          default -> Integer.MAX_VALUE; // as long as the answer before
        };
    all.assertThat(rest).as(row.toString()).isPresent();
    all.assertThat(rest.orElse(0)).as(row.toString()).isLessThanOrEqualTo(longest);
    all.assertThat((double) rest.orElse(0))
        .as(row.toString())
        .isGreaterThanOrEqualTo(longest == Integer.MAX_VALUE ? 1 : longest - passed);
  }

  @Test
  void everyStockHoldsWhereItIsKept() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("ron.toml"),
            """
            [[tenants]]
            name = "acme"
            stored = "10B"
            queued = "4B"
            compute = 0
            """);
    try (RunningNode node = RunningNode.start(folder.resolve("data"), Map.of(), file)) {
      assertThat(s3(node, "/bucket", "").statusCode()).isEqualTo(200);
      assertThat(s3(node, "/bucket/a", "12345678").statusCode()).isEqualTo(200);
      HttpResponse<String> over = s3(node, "/bucket/b", "123");
      assertThat(over.statusCode()).isEqualTo(507);
      assertThat(over.body())
          .contains("<Code>QuotaExceeded</Code>", "tenant acme", "stored = 10", "uses 8");
      assertThat(over.headers().firstValue("Retry-After")).isEmpty();
      assertThat(post(node, "storage", "/o", "1").statusCode()).as("one more").isEqualTo(201);
      HttpResponse<String> beside = post(node, "storage", "/o", "12");
      assertThat(beside.statusCode()).as("there is one limit for both doors").isEqualTo(507);
      assertThat(beside.body()).contains("\"limit\":\"stored\"", "\"used\":\"9\"");
      assertThat(s3(node, "/bucket/b", "12").statusCode()).as("and here").isEqualTo(507);
      assertThat(s3(node, "/bucket/b", "1").statusCode()).as("the last byte").isEqualTo(200);
      HttpResponse<String> run =
          post(
              node,
              "rewarder",
              "/rewarder/epochs/e/compute",
              "{\"accounting\":\"b3:%1$s\",\"ledger\":\"b3:%1$s\",\"policy\":\"b3:%1$s\"}"
                  .formatted("0".repeat(64)));
      assertThat(run.statusCode()).as(run.body()).isEqualTo(429);
      assertThat(run.body()).contains("tenant acme", "compute = 0");
      HttpResponse<String> sent =
          post(
              node,
              "mailbox",
              "/v1/send",
              "{\"topic\":\"t\",\"idem_key\":\"k\",\"payload_b64\":\"aGVsbG8=\"}");
      assertThat(sent.statusCode()).isEqualTo(507);
      assertThat(sent.body())
          .contains("\"tenant\":\"acme\"", "\"limit\":\"queued\"", "\"used\":\"0\"");
      String rows = admin(node, "/tenants?tenant=acme");
      assertThat(rows)
          .contains("\"stored\":10", "{\"service\":\"s3\",\"limit\":\"stored\",\"used\":9}")
          .contains("{\"service\":\"storage\",\"limit\":\"stored\",\"used\":1}")
          .contains("{\"service\":\"mailbox\",\"limit\":\"queued\",\"used\":0}")
          .contains("{\"service\":\"rewarder\",\"limit\":\"compute\",\"used\":0}");
      reload(node, "");
      assertThat(s3(node, "/bucket/b", "123").statusCode()).isEqualTo(200);
    }
  }

  private HttpResponse<String> s3(RunningNode node, String path, String body) throws Exception {
    URI uri = URI.create(node.url("s3")).resolve(path);
    var request = HttpRequest.newBuilder(uri);
    signed(node, "acme", new String[] {"PUT", path}, uri).forEach(request::header);
    return client.send(
        request.PUT(HttpRequest.BodyPublishers.ofString(body)).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private HttpResponse<String> post(RunningNode node, String service, String path, String body)
      throws Exception {
    String token = node.keys().mint(List.of(new Caveat.Tenant("acme")));
    return client.send(
        HttpRequest.newBuilder(URI.create(node.url(service)).resolve(path))
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private String admin(RunningNode node, String path) throws Exception {
    return client
        .send(
            HttpRequest.newBuilder(URI.create(node.admin()).resolve(path))
                .header("Authorization", "Bearer " + node.keys().adminToken())
                .build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }
}
