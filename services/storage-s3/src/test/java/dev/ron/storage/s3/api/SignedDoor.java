package dev.ron.storage.s3.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.capability.KeyPair;
import dev.ron.capability.KeyRing;
import dev.ron.capability.Revocations;
import dev.ron.capability.TokenId;
import dev.ron.capability.TokenMint;
import dev.ron.capability.Trust;
import dev.ron.capability.Verifier;
import dev.ron.capability.caveat.Caveat;
import dev.ron.config.Settings;
import dev.ron.http.server.Limits;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.Tree;
import dev.ron.kernel.tenant.TenantTable;
import dev.ron.kernel.tenant.TenantTerms;
import dev.ron.kernel.time.SystemTime;
import dev.ron.sigv4.PayloadMode;
import dev.ron.sigv4.RequestSigner;
import dev.ron.sigv4.ServiceRules;
import dev.ron.sigv4.SignedRequest;
import dev.ron.storage.StorageConfig;
import dev.ron.storage.s3.StorageS3Config;
import dev.ron.storage.s3.StorageS3Service;
import dev.ron.testkit.RawClient;
import dev.ron.testkit.RawHttp2;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An S3 door on a free port over names and blocks in memory, and callers that sign what they send.
 *
 * <p>Threading: owned by the test.
 */
final class SignedDoor implements AutoCloseable {
  private final SplittableRandom random = new SplittableRandom(11);
  private final KeyRing ring = KeyRing.generate(random);
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Scope scope;
  private final Verifier verifier = new Verifier(new Trust(ring, new Revocations(Set.of())));
  private final Tree tree;
  private final int port;

  private record Configs(StorageConfig storage, StorageS3Config s3) {}

  /**
   * @param more settings and their values in turn
   */
  SignedDoor(String... more) throws Exception {
    this(Log.silent(), Limits.OPEN, more);
  }

  /** One that writes what it has to say. */
  static SignedDoor logging(Log log) throws Exception {
    return new SignedDoor(log, Limits.OPEN);
  }

  /** One with the limits of a node that runs. */
  static SignedDoor hardened() throws Exception {
    return new SignedDoor(Log.silent(), Limits.HARDENED);
  }

  /** One among tenants of these terms. */
  static SignedDoor among(TenantTerms... terms) throws Exception {
    var table = new TenantTable(List.of(terms));
    return new SignedDoor(
        Scope.of("s3", World.real(Log.silent())).shared(() -> table), Limits.OPEN);
  }

  /** Waits until the door has no connection left but so many. */
  void awaitConnections(int count) throws InterruptedException {
    var time = new SystemTime();
    for (int look = 0; look < 3000; look++) {
      if (sum("http_connections") <= count) {
        return;
      }
      time.sleepUntil(time.now().plusMillis(10));
    }
    throw new AssertionError("there are more connections than " + count);
  }

  /** What a metric has come to, over all its labels. */
  double sum(String metric) {
    return scope
        .metrics()
        .text()
        .lines()
        .filter(line -> line.startsWith(metric))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .sum();
  }

  private SignedDoor(Log log, Limits limits, String... more) throws Exception {
    this(Scope.of("s3", World.real(log)), limits, more);
  }

  private SignedDoor(Scope scope, Limits limits, String... more) throws Exception {
    this.scope = scope;
    var flags = new HashMap<String, String>();
    flags.put("storage.bind", "127.0.0.1:0");
    flags.put("storage.amnesia", "true");
    flags.put("storage.s3.object_bytes", "1MiB");
    for (int i = 0; i < more.length; i += 2) {
      flags.put(more[i], more[i + 1]);
    }
    Settings settings = Settings.load(flags, Map.of(), Optional.empty());
    var configs =
        settings.read(
            "storage",
            section ->
                new Configs(
                    StorageConfig.read(section),
                    StorageS3Config.read(section.section("s3"), "127.0.0.1:0")));
    settings.check();
    StorageS3Service.Wired wired =
        StorageS3Service.wire(
            configs.value().s3(), configs.value().storage(), scope, limits, List.of(), verifier);
    tree = wired.supervisor().start(scope);
    port = wired.door().port();
  }

  /** A tenant whose key pair also has these caveats. */
  Caller tenant(String name, Caveat... more) {
    var caveats = new ArrayList<Caveat>();
    caveats.add(new Caveat.Service(Set.of("s3")));
    caveats.add(new Caveat.Tenant(name));
    caveats.addAll(List.of(more));
    return new Caller(KeyPair.of(new TokenMint(ring, random).mint(caveats)));
  }

  /** A pair without a tenant, with these caveats. */
  Caller operator(Caveat... caveats) {
    return new Caller(KeyPair.of(new TokenMint(ring, random).mint(List.of(caveats))));
  }

  /** A caller with any pair, also one of another ring. */
  Caller of(KeyPair pair) {
    return new Caller(pair);
  }

  int port() {
    return port;
  }

  /** Withdraws the token that a caller's pair was cut from. */
  void revoke(Caller caller) {
    Instant now = Instant.now();
    KeyPair pair = caller.pair();
    if (!(verifier.find(pair.accessKeyId(), pair.sessionToken(), now)
        instanceof KeyPair.Found found)) {
      throw new AssertionError("the pair is none already");
    }
    TokenId id = found.capability().id();
    verifier.trust(
        trust -> new Trust(trust.keys(), trust.revocations().with(id), trust.registered()));
  }

  /** From now on another key signs, and what the key before has signed is refused. */
  void rotate() {
    verifier.trust(
        trust ->
            new Trust(
                trust.keys().rotate(random, Instant.now(), Duration.ZERO),
                trust.revocations(),
                trust.registered()));
  }

  /** Sends exactly these fields, and the body behind them, over a connection of its own. */
  String raw(SignedRequest request, String body, String... more) throws IOException {
    try (var client = new RawClient(port)) {
      client.send(text(request, body.length(), more)).sendAnyway(body);
      return brief(request.method().equals("HEAD") ? client.head() : client.answer());
    }
  }

  /** The head of a request as it goes over the wire. */
  static String text(SignedRequest request, int bodyBytes, String... more) {
    var head = new StringBuilder(request.method()).append(' ').append(request.rawPath());
    if (!request.rawQuery().isEmpty()) {
      head.append('?').append(request.rawQuery());
    }
    head.append(" HTTP/1.1\r\n");
    request
        .headers()
        .forEach(each -> head.append(each.name()).append(": ").append(each.value()).append("\r\n"));
    for (int i = 0; i < more.length; i += 2) {
      head.append(more[i]).append(": ").append(more[i + 1]).append("\r\n");
    }
    return head.append("Content-Length: ").append(bodyBytes).append("\r\n\r\n").toString();
  }

  /** The status of a read over HTTP/2. */
  String http2(Caller caller, String path) throws IOException {
    SignedRequest signed = caller.signed(caller.unsigned("GET", path));
    try (var client = new RawHttp2(port)) {
      return client.ask(http2(signed, "127.0.0.1:" + port), "");
    }
  }

  static List<String> http2(SignedRequest request, String authority) {
    var fields = new ArrayList<String>();
    fields.addAll(List.of(":method", request.method(), ":scheme", "http"));
    fields.addAll(List.of(":authority", authority, ":path", request.rawPath()));
    for (SignedRequest.Header each : request.headers()) {
      if (!each.name().equals("host")) {
        fields.addAll(List.of(each.name(), each.value()));
      }
    }
    return fields;
  }

  /** The status, with the code of an error. */
  static String brief(String answer) {
    String status = answer.substring(9, 12);
    Matcher code = Pattern.compile("<Code>([^<]*)</Code>").matcher(answer);
    return code.find() ? status + " " + code.group(1) : status;
  }

  /** A caller that shows no key. */
  Caller anonymous() {
    return new Caller(null);
  }

  /** What came back. */
  record Told(int status, HttpResponse<byte[]> answer) {
    String text() {
      return new String(answer.body(), UTF_8);
    }

    /** The status, with the code of an error. */
    String brief() {
      Matcher code = Pattern.compile("<Code>([^<]*)</Code>").matcher(text());
      return code.find() ? status + " " + code.group(1) : Integer.toString(status);
    }

    String header(String name) {
      return answer.headers().firstValue(name).orElse("none");
    }
  }

  /** Sends requests with one key pair. */
  final class Caller {
    private final @Nullable KeyPair pair;

    private Caller(@Nullable KeyPair pair) {
      this.pair = pair;
    }

    KeyPair pair() {
      return Objects.requireNonNull(pair);
    }

    /** A request to this door, not yet signed. */
    SignedRequest unsigned(String method, String target, String... headers) {
      int mark = target.indexOf('?');
      var request =
          new SignedRequest(
              method,
              mark < 0 ? target : target.substring(0, mark),
              mark < 0 ? "" : target.substring(mark + 1),
              List.of(new SignedRequest.Header("host", "127.0.0.1:" + port)));
      for (int i = 0; i < headers.length; i += 2) {
        request = request.with(headers[i], headers[i + 1]);
      }
      return request;
    }

    RequestSigner signer() {
      return new RequestSigner(
          ServiceRules.S3,
          pair().accessKeyId(),
          pair().secret(),
          pair().sessionToken(),
          "us-east-1");
    }

    /**
     * @param target path and query, as they go over the wire
     * @param headers names and values in turn
     */
    Told send(String method, String target, String body, String... headers) throws Exception {
      return send(
          method, target, HttpRequest.BodyPublishers.ofByteArray(body.getBytes(UTF_8)), headers);
    }

    Told send(String method, String target, HttpRequest.BodyPublisher body, String... headers)
        throws Exception {
      SignedRequest unsigned = unsigned(method, target, headers);
      SignedRequest signed = pair == null ? unsigned : signed(unsigned);
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + target))
              .timeout(Duration.ofSeconds(60))
              .method(method, body);
      for (SignedRequest.Header header : signed.headers()) {
        if (!header.name().equals("host")) {
          request.header(header.name(), header.value());
        }
      }
      HttpResponse<byte[]> answer =
          client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
      return new Told(answer.statusCode(), answer);
    }

    SignedRequest signed(SignedRequest unsigned) {
      return signer().sign(unsigned, new PayloadMode.Unsigned(), Instant.now()).request();
    }

    String get(String target, String... headers) throws Exception {
      return send("GET", target, "", headers).brief();
    }

    String put(String target, String body, String... headers) throws Exception {
      return send("PUT", target, body, headers).brief();
    }

    String delete(String target, String... headers) throws Exception {
      return send("DELETE", target, "", headers).brief();
    }
  }

  @Override
  public void close() {
    client.close();
    try {
      tree.drain();
    } catch (InterruptedException stop) {
      throw new AssertionError("interrupted while draining", stop);
    }
  }
}
