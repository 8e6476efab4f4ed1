package dev.ron.node.dashboard;

import dev.ron.http.Headers;
import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import dev.ron.http.client.AddressPolicy;
import dev.ron.http.client.ClientAnswer;
import dev.ron.http.client.ClientRequest;
import dev.ron.http.client.HttpClient;
import dev.ron.http.client.HttpClientConfig;
import dev.ron.http.client.Origin;
import dev.ron.http.server.Blocking;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Body;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.route.Route;
import dev.ron.http.server.route.Routes;
import dev.ron.http.tls.PinnedCertificates;
import dev.ron.kernel.Scope;
import dev.ron.kernel.supervise.Door;
import dev.ron.kernel.time.Time;
import dev.ron.sigv4.PayloadMode;
import dev.ron.sigv4.SignatureText;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Carries a page's request to a service of this node and its answer back: {@code
 * /api/mailbox/v1/topics} is the mailbox's {@code /v1/topics}.
 *
 * <p>Browsers ask other origins for permission first; with everything on the admin's origin the
 * services need not allow any. It adds no right: the capability is the page's, and the service
 * checks it. What the page did not mean to send, such as cookies, is not passed on; {@link
 * DashboardProxyPolicy} decides what may come back.
 *
 * <p>Threading: thread-safe.
 */
public final class DashboardProxy implements Door {
  /** The longest that a page waits: a receive may poll for 50 seconds. */
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** An upload comes in parts of 1 MiB; nothing larger has to pass. */
  private static final int BODY_BYTES_MAX = 1024 * 1024 + 64 * 1024;

  /** An upload to a bucket comes in parts; the smallest that S3 has is 5 MiB. They are streamed. */
  private static final int PART_BYTES_MAX = 16 * 1024 * 1024;

  /** What goes to a door with signatures beside fields whose names begin with {@link #AMAZON}. */
  private static final List<String> SIGNED =
      List.of("Content-Type", "If-Match", "If-None-Match", "Range");

  private static final String AMAZON = "x-amz-";

  /** The signature's own fields. */
  private static final Set<String> OF_SIGNATURE =
      Set.of("x-amz-date", "x-amz-content-sha256", "x-amz-security-token");

  private static final List<String> THERE =
      List.of(
          "Authorization",
          "Accept",
          "Accept-Encoding",
          "Content-Type",
          "If-Match",
          "If-None-Match",
          "Prefer",
          "Range",
          "X-Corr-ID");

  private final Time time;
  private final HttpClient client;
  private final Function<String, Optional<URI>> addressOf;
  private final UnaryOperator<String> regionOf;

  /**
   * @param addressOf where a service of this node listens, if there is one of that name
   * @param regionOf what a door with signatures takes them for
   * @param certificates those of the node's own doors
   */
  public DashboardProxy(
      Scope scope,
      Function<String, Optional<URI>> addressOf,
      UnaryOperator<String> regionOf,
      PinnedCertificates certificates)
      throws IOException {
    this.time = scope.time();
    this.client =
        new HttpClient(scope, HttpClientConfig.standard().with(AddressPolicy.ANY), certificates);
    this.addressOf = addressOf;
    this.regionOf = regionOf;
  }

  /**
   * Adds {@code /api/{service}/...}; {@code /signed/{service}/...} for the doors of buckets and
   * queues, at which every path is a client's; and {@code /edge/...} for the map pages, which name
   * it so.
   */
  public Routes into(Routes routes) {
    Blocking any = exchange -> carry(exchange, exchange.param("service"), "/api/");
    Blocking edge = exchange -> carry(exchange, "edge", "/");
    return routes
        .add(passing("/api/{service}/{path...}", any))
        .add(passing("/signed/{service}", this::carrySigned))
        .add(passing("/signed/{service}/{path...}", this::carrySigned).bodyBytesMax(PART_BYTES_MAX))
        .add(passing("/edge/{path...}", edge));
  }

  private static Route passing(String path, Blocking handler) {
    return Route.of(Routes.ANY, path, "passage", handler)
        .documented("A service of this node, as it answers itself.", List.of(200, 404, 502))
        .bodyBytesMax(BODY_BYTES_MAX)
        .within(LIMIT);
  }

  private Answer carry(Exchange exchange, String service, String before)
      throws IOException, InterruptedException {
    Origin origin = origin(service);
    // As it came: the service decides about addresses that a parser would refuse.
    String path = path(exchange.path(), before);
    String query = exchange.head().query();
    var there = new Headers();
    THERE.forEach(name -> exchange.headers().all(name).forEach(value -> there.add(name, value)));
    byte[] body = exchange.body().collect(BODY_BYTES_MAX);
    var request =
        new ClientRequest(
            exchange.method(),
            origin,
            query == null ? path : path + "?" + query,
            there,
            body.length,
            body);
    ClientAnswer answer = client.send(request, exchange.deadline());
    Headers head = DashboardProxyPolicy.of(service, exchange.method(), path, answer.headers());
    return answer(answer, head);
  }

  private Origin origin(String service) throws Refusal {
    return Origin.of(
        addressOf
            .apply(service)
            .orElseThrow(() -> Refusal.of(new HttpFault.NotFound("this node runs no " + service))));
  }

  private Answer carrySigned(Exchange exchange) throws IOException, InterruptedException {
    String service = exchange.param("service");
    var signature =
        PassageSignature.of(
            service,
            regionOf.apply(service),
            Optional.ofNullable(exchange.headers().first("Authorization")));
    Origin origin = origin(service);
    String path = path(exchange.path(), "/signed/");
    String query = exchange.head().query() == null ? "" : exchange.head().query();
    byte[] whole = signature.hashesBody() ? exchange.body().collect(BODY_BYTES_MAX) : new byte[0];
    PayloadMode mode = signature.hashesBody() ? hashed(whole) : new PayloadMode.Unsigned();
    Headers head =
        signature.sign(origin, exchange.method(), path, query, fields(exchange), mode, time.wall());
    String target = query.isEmpty() ? path : path + "?" + query;
    long length = signature.hashesBody() ? whole.length : exchange.head().bodyLength();
    var request = new ClientRequest(exchange.method(), origin, target, head, length, whole);
    ClientAnswer answer =
        length == whole.length
            ? client.send(request, exchange.deadline())
            : client.send(request, exchange.body().stream(), exchange.deadline());
    return answer(answer, DashboardProxyPolicy.ofSigned(answer.headers()));
  }

  private static Map<String, String> fields(Exchange exchange) {
    var fields = new LinkedHashMap<String, String>();
    exchange
        .headers()
        .forEach(
            (name, value) -> {
              String lower = name.toLowerCase(Locale.ROOT);
              if (lower.startsWith(AMAZON) && !OF_SIGNATURE.contains(lower)) {
                fields.put(lower, value);
              }
            });
    for (String name : SIGNED) {
      String value = exchange.headers().first(name);
      if (value != null) {
        fields.put(name.toLowerCase(Locale.ROOT), value);
      }
    }
    return fields;
  }

  private static PayloadMode hashed(byte[] body) {
    return new PayloadMode.Hashed(HexFormat.of().formatHex(SignatureText.sha256().digest(body)));
  }

  /** The service's own path: what follows its name, or all of it where it is named by the path. */
  private static String path(String path, String before) {
    if (before.equals("/")) {
      return path;
    }
    int end = path.indexOf('/', before.length());
    return end < 0 ? "/" : path.substring(end);
  }

  private static Answer answer(ClientAnswer from, Headers back) {
    if (from.status() == 204 || from.status() == 304) {
      from.close();
      return new Answer(from.status(), back, Answer.empty(from.status()).body());
    }
    String length = from.headers().first("Content-Length");
    Body.Stream.Writer writer =
        sink -> {
          try (from) {
            from.transferTo(sink);
          }
          return new Headers(1);
        };
    return Answer.stream(from.status(), back, length == null ? -1 : Long.parseLong(length), writer);
  }

  @Override
  public void open() {
    // connections are made when they are needed
  }

  @Override
  public void stopIntake() {
    // requests come through the admin's own door
  }

  @Override
  public void release() {
    client.close();
  }
}
