package dev.ron.bench.tenant;

import dev.ron.bench.process.NodeTarget;
import dev.ron.capability.KeyPair;
import dev.ron.sigv4.PayloadMode;
import dev.ron.sigv4.RequestSigner;
import dev.ron.sigv4.ServiceRules;
import dev.ron.sigv4.SignedRequest;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A door of the node, and what tenants ask there: work that they contend for, never an answer from
 * memory, for which none waits.
 *
 * <p>Threading: immutable.
 */
enum TenantDoor {
  /** A request to an upstream with four places of 20 ms. */
  GATEWAY {
    @Override
    TenantRequest prepare(NodeTarget node, String tenant) throws IOException {
      return bearing(node, tenant, "GET /work", "");
    }
  },

  /** A miss, filled from an upstream like that. */
  EDGE {
    @Override
    TenantRequest prepare(NodeTarget node, String tenant) throws IOException {
      String line = "GET /edge/assets/bench/work?%s=%s".formatted(tenant, TenantRequest.COUNT);
      return bearing(node, tenant, line, "");
    }
  },

  /** A durable send of 1 KiB; all tenants have their topics in one shard. */
  MAILBOX {
    @Override
    TenantRequest prepare(NodeTarget node, String tenant) throws IOException {
      String body =
          "{\"topic\":\"bench\",\"idem_key\":\"%s\",\"payload_b64\":\"%s\"}"
              .formatted(TenantRequest.COUNT, "QUJD".repeat(341));
      return bearing(node, tenant, "POST /v1/send", body);
    }
  },

  /** A durable object of 64 KiB. */
  STORAGE {
    @Override
    TenantRequest prepare(NodeTarget node, String tenant) throws IOException {
      return bearing(node, tenant, "POST /o", tenant + object());
    }
  },

  /** An epoch of two thousand lines is computed again from its inputs. */
  REWARDER {
    @Override
    TenantRequest prepare(NodeTarget node, String tenant) throws IOException, InterruptedException {
      var lines = new StringBuilder("actor,metric,units\n");
      for (int i = 0; i < LINES; i++) {
        lines.append("a").append(i).append(",hours,").append(1 + i % 7).append('\n');
      }
      String pool = "{\"pool_minor\":\"1000000\",\"asset\":\"EUR\",\"epoch\":\"bench\"}";
      String rule =
          "{\"id\":\"bench\",\"version\":1,\"weights_ppm\":{\"hours\":1000000},"
              + "\"rounding\":\"largest-remainder\",\"min_payout_minor\":\"0\","
              + "\"on_bad_line\":\"refuse\"}";
      String inputs =
          "{\"accounting\":\"%s\",\"ledger\":\"%s\",\"policy\":\"%s\"}"
              .formatted(
                  stored(node, tenant, lines.toString()),
                  stored(node, tenant, pool),
                  stored(node, tenant, rule));
      node.ask(
          "rewarder", "POST /rewarder/epochs/bench/compute", tenant, "application/json", inputs);
      return bearing(node, tenant, "GET /rewarder/epochs/bench/verify", "");
    }
  },

  /** A durable object of 64 KiB under a name. */
  S3 {
    @Override
    TenantRequest prepare(NodeTarget node, String tenant) throws IOException, InterruptedException {
      try (var client = new TenantClient(port(node), signed(node, tenant, "", ""), 0)) {
        client.ask(); // its bucket
      }
      return signed(node, tenant, "/object", object());
    }
  },

  /** A durable send of 1 KiB. */
  SQS {
    @Override
    TenantRequest prepare(NodeTarget node, String tenant) throws IOException, InterruptedException {
      String told = node.ask("sqs", "POST /", tenant, SQS_JSON, "{\"QueueName\":\"bench\"}");
      Matcher url = Pattern.compile("\"QueueUrl\":\"([^\"]*)\"").matcher(told);
      if (!url.find()) {
        throw new IOException("a queue without an address: " + told);
      }
      String body =
          "{\"QueueUrl\":\"%s\",\"MessageBody\":\"%s%s\"}"
              .formatted(url.group(1), TenantRequest.COUNT, "x".repeat(1008));
      String fields =
          bearer(node, tenant)
              + "Content-Type: %s\r\nX-Amz-Target: AmazonSQS.SendMessage\r\n".formatted(SQS_JSON);
      return TenantRequest.of("POST /", door(node).getAuthority(), fields, body);
    }
  };

  private static final int LINES = 2000;
  private static final int OBJECT_BYTES = 64 << 10;
  private static final String REGION = "us-east-1";
  private static final String SQS_JSON = "application/x-amz-json-1.0";

  /** Makes what the tenant needs there, and says what it asks for. */
  abstract TenantRequest prepare(NodeTarget node, String tenant)
      throws IOException, InterruptedException;

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  URI door(NodeTarget node) throws IOException {
    return node.door(word());
  }

  int port(NodeTarget node) throws IOException {
    return door(node).getPort();
  }

  private static String object() {
    return TenantRequest.COUNT + "x".repeat(OBJECT_BYTES - TenantRequest.COUNT.length());
  }

  private static String bearer(NodeTarget node, String tenant) throws IOException {
    return "Authorization: Bearer " + node.token(tenant) + "\r\n";
  }

  TenantRequest bearing(NodeTarget node, String tenant, String line, String body)
      throws IOException {
    String type = body.startsWith("{") ? "Content-Type: application/json\r\n" : "";
    return TenantRequest.of(line, door(node).getAuthority(), bearer(node, tenant) + type, body);
  }

  private static String stored(NodeTarget node, String tenant, String object)
      throws IOException, InterruptedException {
    String told = node.ask("storage", "POST /o", tenant, "application/octet-stream", object);
    Matcher address = Pattern.compile("b3:[0-9a-f]{64}").matcher(told);
    if (!address.find()) {
      throw new IOException("an object without an address: " + told);
    }
    return address.group();
  }

  /** The body is not signed, so the signature fits each of them for a quarter of an hour. */
  TenantRequest signed(NodeTarget node, String tenant, String key, String body) throws IOException {
    KeyPair pair = node.pair(tenant);
    var signer =
        new RequestSigner(
            ServiceRules.S3, pair.accessKeyId(), pair.secret(), Optional.empty(), REGION);
    String host = door(node).getAuthority();
    String path = "/bench-" + tenant + key;
    var unsigned =
        new SignedRequest("PUT", path, "", List.of(new SignedRequest.Header("host", host)));
    var fields = new StringBuilder();
    signer.sign(unsigned, new PayloadMode.Unsigned(), Instant.now()).request().headers().stream()
        .filter(each -> !each.name().equalsIgnoreCase("host"))
        .forEach(
            each -> fields.append(each.name()).append(": ").append(each.value()).append("\r\n"));
    return TenantRequest.of("PUT " + path, host, fields.toString(), body);
  }
}
