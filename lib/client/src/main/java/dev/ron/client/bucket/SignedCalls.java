package dev.ron.client.bucket;

import dev.ron.client.ServiceRefusal;
import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.client.AddressPolicy;
import dev.ron.http.client.ClientAnswer;
import dev.ron.http.client.ClientRequest;
import dev.ron.http.client.HttpClient;
import dev.ron.http.client.HttpClientConfig;
import dev.ron.http.client.Origin;
import dev.ron.kernel.Scope;
import dev.ron.kernel.retry.Backoff;
import dev.ron.kernel.retry.Retry;
import dev.ron.kernel.time.Deadline;
import dev.ron.sigv4.PayloadMode;
import dev.ron.sigv4.RequestSigner;
import dev.ron.sigv4.SignedRequest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * Signs requests, sends them, and repeats those that may be answered another time.
 *
 * <p>A transfer has no total limit, since it may be of any size; a server that is silent for too
 * long fails it.
 *
 * <p>Threading: immutable; calls wait and belong on a thread of their own.
 */
final class SignedCalls implements AutoCloseable {
  private static final int TRIES = 5;
  private static final Duration STALL = Duration.ofSeconds(60);
  private static final int DOCUMENT_BYTES_MAX = 16 << 20;

  /** Name, connection and handshake, on a line across the world. */
  private static final Duration CONNECT = Duration.ofSeconds(10);

  private static final Backoff REST =
      new Backoff.Scaled(Duration.ofMillis(200), Duration.ofMillis(400), Duration.ofSeconds(5));

  private final Scope scope;
  private final BucketEndpoint endpoint;
  private final HttpClient http;
  private final Retry retry;

  SignedCalls(Scope scope, BucketEndpoint endpoint, Optional<Path> trusted) throws IOException {
    this.scope = scope;
    this.endpoint = endpoint;
    HttpClientConfig usual = HttpClientConfig.standard();
    this.http =
        new HttpClient(
            scope,
            new HttpClientConfig(
                usual.transport(),
                usual.loops(),
                CONNECT,
                usual.idle(),
                usual.connectionsPerOriginMax(),
                AddressPolicy.ANY,
                trusted));
    this.retry = Retry.idempotent(scope, "s3", TRIES, REST);
  }

  /**
   * A request before it is signed.
   *
   * @param path with its escapes
   * @param query with its escapes; empty for none
   */
  record Call(String method, String path, String query, Headers own) {
    Call(String method, String path, String query) {
      this(method, path, query, new Headers(1));
    }
  }

  /** The answer, which is below 300. */
  ClientAnswer send(Call call, ObjectPayload body) throws IOException, InterruptedException {
    return repeated(() -> once(call, body));
  }

  /** The answer's document; one that is an error says so although its status does not. */
  AnswerElement document(Call call, ObjectPayload body) throws IOException, InterruptedException {
    return repeated(
        () -> {
          try (ClientAnswer answer = once(call, body)) {
            AnswerElement document = AnswerElement.read(answer.collect(DOCUMENT_BYTES_MAX));
            if (document.name().equals("Error")) {
              throw refusal(500, document);
            }
            return document;
          }
        });
  }

  /** A call whose answer has nothing to read. */
  Headers done(Call call, ObjectPayload body) throws IOException, InterruptedException {
    return repeated(
        () -> {
          try (ClientAnswer answer = once(call, body)) {
            answer.collect(DOCUMENT_BYTES_MAX);
            return answer.headers();
          }
        });
  }

  private <T> T repeated(Callable<T> call) throws IOException, InterruptedException {
    try {
      return retry.call(call, SignedCalls::mayPass);
    } catch (IOException | InterruptedException | RuntimeException expected) {
      throw expected;
    } catch (Exception impossible) {
      throw new IllegalStateException("asking " + endpoint.uri(), impossible);
    }
  }

  static boolean mayPass(Exception failure) {
    return failure instanceof Refusal || (failure instanceof ServiceRefusal no && no.mayPass());
  }

  private ClientAnswer once(Call call, ObjectPayload body)
      throws IOException, InterruptedException {
    Origin origin = endpoint.origin();
    List<SignedRequest.Header> fields = new ArrayList<>();
    fields.add(new SignedRequest.Header("host", origin.authority()));
    call.own().forEach((name, value) -> fields.add(new SignedRequest.Header(name, value)));
    var request = new SignedRequest(call.method(), call.path(), call.query(), fields);
    if (endpoint.signer().isPresent()) {
      RequestSigner signer = endpoint.signer().get();
      var mode = new PayloadMode.Hashed(body.sha256());
      request = signer.sign(request, mode, scope.time().wall()).request();
    }
    ClientAnswer answer = exchange(request, origin, body);
    if (answer.status() < 300) {
      return answer;
    }
    try (answer) {
      throw refusal(answer);
    }
  }

  private ClientAnswer exchange(SignedRequest request, Origin origin, ObjectPayload body)
      throws IOException, InterruptedException {
    var headers = new Headers();
    request.headers().stream()
        .filter(field -> !field.name().equals("host"))
        .forEach(field -> headers.add(field.name(), field.value()));
    String target =
        request.rawQuery().isEmpty()
            ? request.rawPath()
            : request.rawPath() + "?" + request.rawQuery();
    var sent =
        new ClientRequest(request.method(), origin, target, headers, body.size(), new byte[0]);
    if (body.size() == 0) {
      return http.send(sent, Deadline.NEVER, STALL, ClientAnswer.InterimListener.NONE);
    }
    try (InputStream bytes = body.open()) {
      return http.send(sent, bytes, Deadline.NEVER, STALL);
    }
  }

  /** The same request as an address that works without a key until it expires. */
  String presigned(Call call, Duration life) {
    RequestSigner signer =
        endpoint
            .signer()
            .orElseThrow(() -> new IllegalArgumentException("there is no key to sign with"));
    var fields = List.of(new SignedRequest.Header("host", endpoint.origin().authority()));
    SignedRequest signed =
        signer.presign(
            new SignedRequest(call.method(), call.path(), call.query(), fields),
            life,
            scope.time().wall());
    return "%s://%s%s?%s"
        .formatted(
            endpoint.uri().getScheme(),
            endpoint.origin().authority(),
            signed.rawPath(),
            signed.rawQuery());
  }

  private static ServiceRefusal refusal(ClientAnswer answer) throws IOException {
    byte[] body = answer.collect(DOCUMENT_BYTES_MAX);
    try {
      return refusal(answer.status(), AnswerElement.read(body));
    } catch (IOException none) {
      // An answer to HEAD has no document, and neither has one of a proxy on the way.
      return ServiceRefusal.of(answer.status(), code(answer.status()), words(answer.status()));
    }
  }

  private static ServiceRefusal refusal(int status, AnswerElement error) {
    String code = error.text("Code");
    return ServiceRefusal.of(
        status,
        code.isEmpty() ? code(status) : code,
        "%s: %s (%d)".formatted(code, error.text("Message"), status));
  }

  private static String code(int status) {
    return switch (status) {
      case 304 -> "NotModified";
      case 403 -> "AccessDenied";
      case 404 -> "NotFound";
      case 412 -> "PreconditionFailed";
      default -> "refused";
    };
  }

  private static String words(int status) {
    return switch (status) {
      case 301, 307, 308 -> "the bucket is at another endpoint or in another region";
      case 403 -> "the key pair is not accepted, or may not do this";
      case 404 -> "there is no such bucket or object";
      default -> "the server answered " + status;
    };
  }

  @Override
  public void close() {
    http.close();
  }
}
