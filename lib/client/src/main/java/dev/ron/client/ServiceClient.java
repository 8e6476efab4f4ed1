package dev.ron.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.http.CorrelationId;
import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.client.AddressPolicy;
import dev.ron.http.client.ClientAnswer;
import dev.ron.http.client.ClientRequest;
import dev.ron.http.client.HttpClient;
import dev.ron.http.client.HttpClientConfig;
import dev.ron.http.json.Json;
import dev.ron.http.json.JsonRead;
import dev.ron.kernel.Scope;
import dev.ron.kernel.fault.KernelFault;
import dev.ron.kernel.retry.Retry;
import dev.ron.kernel.time.Deadline;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Calls to one service: what is the same in all of them.
 *
 * <p>A call shows the capability, passes on the correlation id and the trace it belongs to, and
 * tells the service how much of the deadline is left. An answer below 300 is returned, any other is
 * a {@link ServiceRefusal}; one that may pass, or no answer at all, is repeated as {@link Retry}
 * says. A 307 or 308 is followed, because a machine of a cluster names its leader so; the
 * capability goes along only to the machines that this client was made for.
 *
 * <p>Threading: immutable; calls wait and belong on a thread of their own.
 */
public final class ServiceClient implements AutoCloseable {
  private static final int ANSWER_BYTES_MAX = 96 << 20;
  private static final int PROBLEM_BYTES_MAX = 1 << 20;
  private static final int REDIRECTS_MAX = 3;
  private static final List<String> PASSED_ON =
      List.of(CorrelationId.HEADER, "traceparent", "tracestate");

  /** No limit but the deadline. */
  static final Duration PATIENT = Duration.ofDays(3650);

  private static final Json JSON = Json.strict(ANSWER_BYTES_MAX);

  private final Scope scope;
  private final HttpClient http;
  private final String op;
  private final String base;
  private final Set<String> machines;
  private final Supplier<String> capability;
  private final Retry retry;
  private final Headers passed;

  private ServiceClient(
      Scope scope,
      HttpClient http,
      String op,
      String base,
      Set<String> machines,
      Supplier<String> capability,
      Retry retry,
      Headers passed) {
    this.scope = scope;
    this.http = http;
    this.op = op;
    this.base = base;
    this.machines = machines;
    this.capability = capability;
    this.retry = retry;
    this.passed = passed;
  }

  /**
   * Each call is tried once.
   *
   * @param op the name of its calls in {@code io_timeouts_total}
   * @param base such as {@code http://127.0.0.1:8083}
   * @param capability asked for each try; empty for none
   */
  public static ServiceClient over(
      HttpClient http, Scope scope, String op, URI base, Supplier<String> capability) {
    return new ServiceClient(
        scope,
        http,
        op,
        base.toString(),
        Set.of(machine(base)),
        capability,
        Retry.once(scope, op),
        new Headers(1));
  }

  /** With connections of its own. */
  public static ServiceClient to(Scope scope, String op, URI base, String capability)
      throws IOException {
    var http = new HttpClient(scope, HttpClientConfig.standard().with(AddressPolicy.ANY));
    return over(http, scope, op, base, () -> capability);
  }

  public ServiceClient retrying(Retry other) {
    return new ServiceClient(scope, http, op, base, machines, capability, other, passed);
  }

  /** Other machines of the same service: the capability is shown to them too after a redirect. */
  public ServiceClient among(List<URI> others) {
    var all = new HashSet<>(machines);
    others.forEach(other -> all.add(machine(other)));
    return new ServiceClient(scope, http, op, base, Set.copyOf(all), capability, retry, passed);
  }

  /** With another capability made of its own, for each request. */
  public ServiceClient showing(UnaryOperator<String> change) {
    return new ServiceClient(
        scope, http, op, base, machines, () -> change.apply(capability.get()), retry, passed);
  }

  /** For calls on behalf of a request: its correlation id and its place in a trace go along. */
  public ServiceClient onBehalfOf(Headers request) {
    var fields = new Headers(PASSED_ON.size());
    PASSED_ON.forEach(name -> request.all(name).forEach(value -> fields.add(name, value)));
    return new ServiceClient(scope, http, op, base, machines, capability, retry, fields);
  }

  Scope scope() {
    return scope;
  }

  /** A piece of a path or a query. */
  public static String escaped(String text) {
    return URLEncoder.encode(text, UTF_8).replace("+", "%20");
  }

  /**
   * One call and its tries.
   *
   * @param path after the base, escaped; empty for the base itself
   * @param own fields besides those that every call has
   * @param limit of all its tries together, less if the caller's own deadline is earlier
   * @param stall how long the service may be silent, before its head and between two pieces
   */
  public ClientAnswer send(
      String method, String path, Headers own, byte[] body, Duration limit, Duration stall)
      throws IOException, InterruptedException {
    Deadline until = Deadline.in(limit, scope.time()).earlier(Deadline.current());
    Headers fields = own.copy().addAll(passed);
    if (!fields.has(CorrelationId.HEADER)) {
      // One for all tries, so that the service's log shows them as one call.
      fields.add(CorrelationId.HEADER, CorrelationId.make(scope.time().wall(), scope.secrets()));
    }
    boolean twoSlashes = base.endsWith("/") && path.startsWith("/");
    URI uri = URI.create(twoSlashes ? base + path.substring(1) : base + path);
    try {
      return until.call(
          () ->
              retry.call(
                  () -> once(method, uri, fields, body, until, stall), ServiceClient::mayPass));
    } catch (IOException | InterruptedException | RuntimeException expected) {
      throw expected;
    } catch (Exception impossible) {
      throw new IllegalStateException("asking " + op, impossible);
    }
  }

  private static boolean mayPass(Exception failure) {
    return failure instanceof Refusal || (failure instanceof ServiceRefusal no && no.mayPass());
  }

  private ClientAnswer once(
      String method, URI uri, Headers fields, byte[] body, Deadline until, Duration stall)
      throws IOException, InterruptedException {
    URI next = uri;
    for (int redirects = 0; ; redirects++) {
      ClientAnswer answer = ask(method, next, fields, body, until, stall);
      if (answer.status() < 300) {
        return answer;
      }
      try (answer) {
        URI other = redirects < REDIRECTS_MAX ? redirect(next, answer) : null;
        if (other == null) {
          throw ServiceRefusal.of(answer.status(), answer.collect(PROBLEM_BYTES_MAX));
        }
        next = other;
      }
    }
  }

  private ClientAnswer ask(
      String method, URI uri, Headers fields, byte[] body, Deadline until, Duration stall)
      throws IOException, InterruptedException {
    Headers headers = fields.copy();
    String shown = machines.contains(machine(uri)) ? capability.get() : "";
    if (!shown.isEmpty()) {
      headers.add("Authorization", "Bearer " + shown);
    }
    long left = until.remaining(scope.time().now()).toMillis();
    headers.add("Request-Timeout", Math.max(1, left) + "ms");
    var request = ClientRequest.of(method, uri, headers, body);
    try {
      return http.send(request, until, stall, ClientAnswer.InterimListener.NONE);
    } catch (Refusal silent) {
      count(silent);
      throw silent;
    }
  }

  /** Counts a refusal that is a timeout; for readers of a body, too. */
  public void count(Refusal refusal) {
    if (refusal.fault() instanceof KernelFault.Timeout) {
      scope.counters().ioTimeouts().labelValues(op).inc();
    }
  }

  /** Where the same request belongs; never from a secured connection to a plain one. */
  private static @Nullable URI redirect(URI from, ClientAnswer answer) {
    String location = answer.headers().first("Location");
    if (location == null || (answer.status() != 307 && answer.status() != 308)) {
      return null;
    }
    URI to = from.resolve(location);
    boolean plain = "http".equals(to.getScheme()) && !"https".equals(from.getScheme());
    return plain || "https".equals(to.getScheme()) ? to : null;
  }

  /** A host and its port: what listens on another port of the same host is another service. */
  private static String machine(URI uri) {
    int port = uri.getPort() >= 0 ? uri.getPort() : "https".equals(uri.getScheme()) ? 443 : 80;
    return String.valueOf(uri.getHost()).toLowerCase(Locale.ROOT) + ":" + port;
  }

  /** The whole answer, as it came. */
  public byte[] bytes(String method, String path, Headers own, byte[] body, Duration limit)
      throws IOException, InterruptedException {
    try (ClientAnswer answer = send(method, path, own, body, limit, PATIENT)) {
      return answer.collect(ANSWER_BYTES_MAX);
    }
  }

  /** The answer as a record. */
  <T> T read(String method, String path, Headers own, byte[] body, Duration limit, Class<T> as)
      throws IOException, InterruptedException {
    return switch (JSON.read(bytes(method, path, own, body, limit), as)) {
      case JsonRead.Value<T>(T value) -> value;
      case JsonRead.Bad<T>(var fault) ->
          throw new IOException("an answer that is not understood: " + fault.detail());
    };
  }

  /** Lets the connections go, which others may share. */
  @Override
  public void close() {
    http.close();
  }
}
