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
import dev.ron.kernel.Scope;
import dev.ron.kernel.supervise.Door;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

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

  private final HttpClient client;
  private final Function<String, Optional<URI>> addressOf;

  /**
   * @param addressOf where a service of this node listens, if there is one of that name
   */
  public DashboardProxy(Scope scope, Function<String, Optional<URI>> addressOf) throws IOException {
    this.client = new HttpClient(scope, HttpClientConfig.standard().with(AddressPolicy.ANY));
    this.addressOf = addressOf;
  }

  /** Adds {@code /api/{service}/...}, and {@code /edge/...} for the map pages, which name it so. */
  public Routes into(Routes routes) {
    Blocking any = exchange -> carry(exchange, exchange.param("service"), "/api/");
    Blocking edge = exchange -> carry(exchange, "edge", "/");
    return routes
        .add(passing("/api/{service}/{path...}", any))
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
    URI origin =
        addressOf
            .apply(service)
            .orElseThrow(() -> Refusal.of(new HttpFault.NotFound("this node runs no " + service)));
    // As it came: the service decides about addresses that a parser would refuse.
    String path = path(exchange.path(), before);
    String query = exchange.head().query();
    var there = new Headers();
    THERE.forEach(name -> exchange.headers().all(name).forEach(value -> there.add(name, value)));
    byte[] body = exchange.body().collect(BODY_BYTES_MAX);
    var request =
        new ClientRequest(
            exchange.method(),
            Origin.of(origin),
            query == null ? path : path + "?" + query,
            there,
            body.length,
            body);
    ClientAnswer answer = client.send(request, exchange.deadline());
    Headers head = DashboardProxyPolicy.of(service, exchange.method(), path, answer.headers());
    return answer(answer, head);
  }

  /** The service's own path: what follows its name, or all of it where it is named by the path. */
  private static String path(String path, String before) {
    return before.equals("/") ? path : path.substring(path.indexOf('/', before.length()));
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
