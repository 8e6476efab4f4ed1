package dev.ron.storage.s3.api;

import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.server.Blocking;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.ordered.OrderedException;
import dev.ron.sigv4.ServiceRules;
import dev.ron.sigv4.SignatureVerifier;
import dev.ron.sigv4.SignedRequest;
import dev.ron.sigv4.Verification;
import dev.ron.sigv4.payload.PayloadFailure;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.cors.CorsFields;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that comes in: checks the signature, finds the operation, asks for the right to it,
 * and lets it answer.
 *
 * <p>Threading: immutable; its parts are thread-safe.
 */
public record S3Door(S3Context context, S3Admission admission, S3Operations operations)
    implements Blocking {
  @Override
  public Answer handle(Exchange exchange) throws Exception {
    return context.names().fresh(() -> handled(exchange));
  }

  private Answer handled(Exchange exchange) throws Exception {
    Instant begun = context.time().now();
    String name = "unknown";
    Headers cors = new Headers(1);
    try {
      S3Target target =
          S3Target.of(
              exchange.head().rawPath(), exchange.head().authority(), context.config().domain());
      var rules = new CorsFields(context.names().view());
      if (exchange.method().equals("OPTIONS")) {
        name = "Preflight";
        return rules
            .preflight(target.bucket(), exchange.headers())
            .with("x-amz-request-id", exchange.corrId());
      }
      cors = rules.of(target.bucket(), exchange.method(), exchange.headers());
      S3Call call = call(exchange, target);
      S3Operations.Operation operation =
          operations.find(
              exchange.method(),
              target.level(),
              call.query(),
              exchange.headers().has(S3Call.COPY_SOURCE));
      name = operation.name();
      S3Call admitted = operation.verb().admit(call, admission);
      S3Rights.require(admitted, operation.verb().action(admitted));
      Answer answer = operation.verb().answer(admitted);
      return with(answer, cors).with("x-amz-request-id", exchange.corrId());
    } catch (Refusal refusal) {
      if (cors.size() == 0) {
        throw refusal;
      }
      // A page of another origin may read why it was refused.
      return with(Answer.problem(refusal), cors);
    } catch (PayloadFailure failure) {
      throw Refusal.of(failure.fault());
    } catch (UncheckedIOException trouble) {
      throw Refusal.of(fault(trouble.getCause()));
    } finally {
      Duration took = Duration.between(begun, context.time().now());
      context.metrics().requestSeconds().labelValues(name).observe(took.toNanos() / 1e9);
    }
  }

  /** What trouble with the rows means to a client. */
  private static S3Fault fault(@Nullable Throwable trouble) {
    return trouble instanceof OrderedException ordered && ordered.fault().retryAfter().isPresent()
        ? new S3Fault.SlowDown(ordered.fault().detail(), S3Fault.REST)
        : new S3Fault.ServerError("names cannot be read: " + trouble);
  }

  private static Answer with(Answer answer, Headers more) {
    return more.size() == 0
        ? answer
        : new Answer(answer.status(), answer.headers().copy().addAll(more), answer.body());
  }

  private S3Call call(Exchange exchange, S3Target target) throws Refusal {
    SignedRequest request = request(exchange);
    S3Keys keys = admission.keys(exchange);
    Verification verification =
        new SignatureVerifier(ServiceRules.S3, keys).verify(request, context.time().wall());
    S3Caller caller =
        switch (verification) {
          case Verification.Verified _ -> admission.holder(exchange, keys);
          case Verification.Anonymous _ -> new S3Caller.Anonymous();
          case Verification.Refused(var fault) -> throw keys.refuse(fault);
        };
    S3Query query = S3Query.parse(exchange.head().query());
    return new S3Call(
        context, exchange, request, verification, caller, target, query, exchange.headers(), null);
  }

  /** HTTP/2 says its host apart from the fields. */
  private static SignedRequest request(Exchange exchange) {
    List<SignedRequest.Header> headers = new ArrayList<>();
    exchange.headers().forEach((name, value) -> headers.add(new SignedRequest.Header(name, value)));
    if (!exchange.headers().has("Host")) {
      headers.add(new SignedRequest.Header("host", exchange.head().authority()));
    }
    String query = exchange.head().query();
    return new SignedRequest(
        exchange.method(), exchange.head().rawPath(), query == null ? "" : query, headers);
  }
}
