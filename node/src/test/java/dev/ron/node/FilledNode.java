package dev.ron.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.capability.KeyPair;
import dev.ron.capability.caveat.Caveat;
import dev.ron.client.MailboxClient;
import dev.ron.client.StorageClient;
import dev.ron.client.bucket.BucketClient;
import dev.ron.client.bucket.BucketEndpoint;
import dev.ron.client.bucket.BucketPath;
import dev.ron.kernel.Scope;
import dev.ron.kernel.time.SystemTime;
import dev.ron.node.cap.CapCommand;
import dev.ron.node.cli.CommandClient;
import dev.ron.sigv4.PayloadMode;
import dev.ron.sigv4.RequestSigner;
import dev.ron.sigv4.ServiceRules;
import dev.ron.sigv4.SignedRequest;
import dev.ron.tilepack.sample.SamplePack;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** One of everything that a node keeps, and the names to find it by. */
public final class FilledNode {
  public static final byte[] OBJECT = bytes(1, 200_000);
  public static final byte[] BLOCKS = bytes(2, 300_000);

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final RunningNode node;
  private final String token;
  private final HttpClient http = HttpClient.newHttpClient();

  private FilledNode(RunningNode node) throws IOException {
    this.node = node;
    this.token = node.keys().adminToken();
  }

  private static byte[] bytes(long seed, int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (i * seed + (i >> 12)); // a folder full of it packs small
    }
    return bytes;
  }

  /** What the fill left. */
  public record Names(String message, String queued, String object, String epoch) {}

  /**
   * @param folder gets {@code data}, {@code packs} and {@code ron.toml}
   */
  public static Names make(Path folder) throws Exception {
    HttpServer upstream =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    upstream.createContext(
        "/",
        exchange -> {
          exchange.getResponseHeaders().add("Cache-Control", "max-age=3600");
          exchange.sendResponseHeaders(200, OBJECT.length);
          exchange.getResponseBody().write(OBJECT);
          exchange.close();
        });
    upstream.start();
    Files.createDirectories(folder.resolve("packs"));
    Files.write(folder.resolve("packs/sample.pmtiles"), SamplePack.bytes());
    Path config = folder.resolve("ron.toml");
    Files.writeString(
        config,
        """
        [edge]
        mode = "live"
        packs = ["%s"]
        [[edge.mounts]]
        prefix = "/assets/fonts"
        upstream = "http://127.0.0.1:%d"
        allow_http = true
        allow_private = true
        """
            .formatted(folder.resolve("packs"), upstream.getAddress().getPort()));
    try (RunningNode node =
        RunningNode.start(folder.resolve("data"), settings(folder.resolve("inputs")), config)) {
      return new FilledNode(node).fill(folder);
    } finally {
      upstream.stop(0);
    }
  }

  public static Map<String, String> settings(Path inputs) {
    return Map.of(
        "usage.seal",
        "1s",
        "rewarder.require_signed_policy",
        "false",
        "rewarder.inputs",
        "files",
        "rewarder.inputs_folder",
        inputs.toString());
  }

  private Names fill(Path folder) throws Exception {
    Scope scope = CommandClient.scope();
    String message;
    try (var mailbox = new MailboxClient(scope, URI.create(node.url("mailbox")), token)) {
      mailbox.send("orders", "order-1", "first".getBytes(UTF_8));
      mailbox.send("orders", "order-2", "second".getBytes(UTF_8));
      message = mailbox.send("orders", "order-3", "third".getBytes(UTF_8)).msgId();
    }
    String object = storage(token, OBJECT);
    storage(node.keys().mint(List.of(new Caveat.Tenant("acme"))), new byte[] {7});
    try (BucketClient bucket = bucket(node, token)) {
      bucket.createBucket("photos");
      bucket.put(new BucketPath("photos", "small"), "small".getBytes(UTF_8));
      bucket.put(new BucketPath("photos", "large"), BLOCKS);
    }
    encrypted("/photos/sealed", "sealed");
    String queued = queue(node, token, http, "hello queue");
    assertThat(get(node.url("edge") + "/edge/assets/fonts/one").statusCode()).isEqualTo(200);
    epoch(Files.createDirectories(folder.resolve("inputs")));
    awaitSeal(folder.resolve("data"));
    return new Names(message, queued, object, "e");
  }

  /** Stores an object that is encrypted with the server's key. */
  private void encrypted(String target, String text) throws Exception {
    KeyPair pair = KeyPair.of(CapCommand.decoded(token));
    var signer =
        new RequestSigner(
            ServiceRules.S3,
            pair.accessKeyId(),
            pair.secret(),
            pair.sessionToken(),
            BucketEndpoint.REGION);
    URI door = URI.create(node.url("s3"));
    var unsigned =
        new SignedRequest(
            "PUT",
            target,
            "",
            List.of(
                new SignedRequest.Header("host", door.getAuthority()),
                new SignedRequest.Header("x-amz-server-side-encryption", "AES256")));
    var request = HttpRequest.newBuilder(door.resolve(target));
    signer.sign(unsigned, new PayloadMode.Unsigned(), Instant.now()).request().headers().stream()
        .filter(each -> !each.name().equalsIgnoreCase("host"))
        .forEach(each -> request.header(each.name(), each.value()));
    HttpResponse<String> answer =
        http.send(
            request.PUT(HttpRequest.BodyPublishers.ofString(text)).build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
  }

  public static BucketClient bucket(RunningNode node, String token) throws IOException {
    KeyPair pair = KeyPair.of(CapCommand.decoded(token));
    return new BucketClient(
        CommandClient.scope(),
        BucketEndpoint.signed(
            URI.create(node.url("s3")),
            pair.accessKeyId(),
            pair.secret(),
            pair.sessionToken(),
            BucketEndpoint.REGION));
  }

  private String storage(String as, byte[] bytes) throws Exception {
    try (var storage =
        new StorageClient(CommandClient.scope(), URI.create(node.url("storage")), as)) {
      return storage.put(bytes).address();
    }
  }

  /** Makes the queue if it is missing, and sends; the message's id. */
  public static String queue(RunningNode node, String token, HttpClient http, String text)
      throws Exception {
    sqs(node, token, http, "CreateQueue", "{\"QueueName\":\"jobs\"}");
    String sent =
        sqs(
            node,
            token,
            http,
            "SendMessage",
            "{\"QueueUrl\":\"%s/000000000000/jobs\",\"MessageBody\":\"%s\"}"
                .formatted(node.url("sqs"), text));
    return sent.replaceAll("(?s).*\"MessageId\":\"([^\"]+)\".*", "$1");
  }

  public static String sqs(
      RunningNode node, String token, HttpClient http, String action, String body)
      throws Exception {
    HttpResponse<String> answer =
        http.send(
            HttpRequest.newBuilder(URI.create(node.url("sqs") + "/"))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/x-amz-json-1.0")
                .header("X-Amz-Target", "AmazonSQS." + action)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  private HttpResponse<byte[]> get(String url) throws Exception {
    return http.send(
        HttpRequest.newBuilder(URI.create(url)).header("Authorization", "Bearer " + token).build(),
        HttpResponse.BodyHandlers.ofByteArray());
  }

  private static String input(Path inputs, byte[] bytes) throws IOException {
    String address = new Address(Blake3.hash(bytes)).toString();
    Files.write(inputs.resolve(address), bytes);
    return address;
  }

  private void epoch(Path inputs) throws Exception {
    String accounting =
        input(inputs, "actor,metric,units\nanna,m,1\nbert,m,2\ncleo,m,3\n".getBytes(UTF_8));
    String ledger =
        input(inputs, "{\"pool_minor\":\"600\",\"asset\":\"ROC\",\"epoch\":\"e\"}".getBytes(UTF_8));
    String policy =
        input(
            inputs,
            ("{\"id\":\"p\",\"version\":1,\"weights_ppm\":{\"m\":1},\"rounding\":"
                    + "\"largest-remainder\",\"min_payout_minor\":\"0\",\"on_bad_line\":\"refuse\"}")
                .getBytes(UTF_8));
    String body =
        "{\"accounting\":\"%s\",\"ledger\":\"%s\",\"policy\":\"%s\",\"dry_run\":false}"
            .formatted(accounting, ledger, policy);
    HttpResponse<String> answer =
        http.send(
            HttpRequest.newBuilder(URI.create(node.url("rewarder") + "/rewarder/epochs/e/compute"))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .header("Prefer", "wait=60")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    await(
        () ->
            new String(get(node.url("rewarder") + "/rewarder/epochs/e/settlement").body(), UTF_8)
                .contains("\"state\":\"settled\""));
  }

  private static void awaitSeal(Path data) throws Exception {
    Path spans = data.resolve("usage/spans");
    await(
        () -> {
          try (var files = Files.list(spans)) {
            return files.filter(file -> file.toString().endsWith(".seal")).count() >= 2;
          }
        });
  }

  @FunctionalInterface
  public interface Hope {
    boolean holds() throws Exception;
  }

  public static void await(Hope hope) throws Exception {
    var time = new SystemTime();
    var end = time.now().plus(PATIENCE);
    while (!hope.holds()) {
      assertThat(time.now()).isBefore(end);
      time.sleepUntil(time.now().plusMillis(20));
    }
  }
}
