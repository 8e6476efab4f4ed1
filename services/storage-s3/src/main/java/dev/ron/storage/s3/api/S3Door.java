package dev.ron.storage.s3.api;

import dev.ron.capability.Capability;
import dev.ron.capability.Verifier;
import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.server.Blocking;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.guard.Bearer;
import dev.ron.http.server.guard.CapabilityRates;
import dev.ron.ordered.OrderedException;
import dev.ron.sigv4.CapabilityKeys;
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
public record S3Door(
    S3Context context, Verifier verifier, CapabilityRates rates, S3Operations operations)
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
      S3Call admitted = operation.verb().admit(call, verifier);
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
    Instant now = context.time().wall();
    long version = verifier.version();
    var keys = new CapabilityKeys(verifier, now);
    Verification verification = new SignatureVerifier(ServiceRules.S3, keys).verify(request, now);
    S3Caller caller =
        switch (verification) {
          case Verification.Verified verified -> {
            Capability capability = keys.proven().capability();
            watch(exchange, capability, verified, version);
            yield holder(capability, now);
          }
          case Verification.Anonymous _ -> new S3Caller.Anonymous();
          case Verification.Refused(var fault) -> throw Refusal.of(fault);
        };
    S3Query query = S3Query.parse(exchange.head().query());
    return new S3Call(
        context, exchange, request, verification, caller, target, query, exchange.headers());
  }

  /** A transfer may take hours: it ends when its key pair is revoked or expires. */
  private void watch(
      Exchange exchange, Capability capability, Verification.Verified verified, long version) {
    var bearer =
        new Bearer(
            verifier,
            context.time(),
            now -> CapabilityKeys.fault(verifier, verified, now),
            capability,
            version,
            fault -> Refusal.of(new S3Fault.AccessDenied(fault.detail())));
    exchange.loop().execute(() -> exchange.put(Bearer.class, bearer));
  }

  private S3Caller holder(Capability capability, Instant now) throws Refusal {
    CapabilityRates.Excess excess = rates.charge(capability);
    if (excess != null) {
      throw Refusal.of(
          new S3Fault.SlowDown(
              "this key pair may make %d requests a second".formatted(excess.perSecond()),
              excess.rest()));
    }
    return S3Caller.holder(capability, now);
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
