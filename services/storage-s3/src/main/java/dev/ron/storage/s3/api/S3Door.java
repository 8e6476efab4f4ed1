package dev.ron.storage.s3.api;

import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.server.Inline;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.kernel.metric.Meter;
import dev.ron.ordered.OrderedException;
import dev.ron.sigv4.ServiceRules;
import dev.ron.sigv4.SignatureVerifier;
import dev.ron.sigv4.SignedRequest;
import dev.ron.sigv4.Verification;
import dev.ron.sigv4.payload.PayloadFailure;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.cors.CorsFields;
import dev.ron.storage.s3.names.Names;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Everything that comes in: checks the signature, finds the operation, asks for the right to it,
 * and lets it answer.
 *
 * <p>The signature is checked on the event loop, and a read is answered there if all it needs is in
 * memory; all else goes on in a thread of its own.
 *
 * <p>Threading: immutable; its parts are thread-safe.
 */
public record S3Door(S3Context context, S3Admission admission, S3Operations operations)
    implements Inline {
  private static final Headers NONE = new Headers(1);

  /** A request whose signature was checked, and what it means. */
  private record Admitted(S3Call call, S3Operations.Operation operation) {}

  @Override
  public void handle(Exchange exchange) {
    // What rules for other origins say also of refusals is in the rows.
    if (exchange.method().equals("OPTIONS") || exchange.headers().has("Origin")) {
      exchange.block(this::answer);
      return;
    }
    Instant begun = context.time().now();
    Admitted admitted;
    try {
      admitted = admit(exchange, target(exchange));
    } catch (Refusal refusal) {
      observe("unknown", begun);
      exchange.answer(Answer.problem(refusal));
      return;
    }
    Optional<Answer> hot = hot(admitted);
    if (hot.isPresent()) {
      observe(admitted.operation.name(), begun);
      exchange.answer(charged(admitted, hot.get()).with("x-amz-request-id", exchange.corrId()));
    } else {
      exchange.block(_ -> finished(admitted, begun));
    }
  }

  /** An answer that waits for nothing; empty if there is none, or a refusal. */
  private Optional<Answer> hot(Admitted admitted) {
    if (!(admitted.operation.verb() instanceof S3Verb.Hot<?, ?> verb)) {
      return Optional.empty();
    }
    try {
      return hot(verb, admitted.call);
    } catch (Names.NotInMemory | Refusal _) {
      return Optional.empty();
    }
  }

  private <Q, A> Optional<Answer> hot(S3Verb.Hot<Q, A> verb, S3Call call) throws Refusal {
    Optional<A> reply =
        context
            .names()
            .inMemory(
                view -> {
                  S3Call now = call.by(view);
                  S3Rights.require(now, verb.action(now));
                  return verb.handle(verb.parse(now));
                });
    return reply.isEmpty() ? Optional.empty() : verb.hot(reply.get());
  }

  private Answer finished(Admitted admitted, Instant begun) throws Exception {
    try {
      return context.names().fresh(() -> plain(() -> answered(admitted)));
    } finally {
      observe(admitted.operation.name(), begun);
    }
  }

  private Answer answer(Exchange exchange) throws Exception {
    return context.names().fresh(() -> plain(() -> handled(exchange)));
  }

  private Answer handled(Exchange exchange) throws Exception {
    Instant begun = context.time().now();
    String name = "unknown";
    Headers cors = NONE;
    try {
      S3Target target = target(exchange);
      var rules = new CorsFields(context.names().view());
      if (exchange.method().equals("OPTIONS")) {
        name = "Preflight";
        admission.anonymous(exchange);
        return rules
            .preflight(target.bucket(), exchange.headers())
            .with("x-amz-request-id", exchange.corrId());
      }
      cors = rules.of(target.bucket(), exchange.method(), exchange.headers());
      Admitted admitted = admit(exchange, target);
      name = admitted.operation.name();
      return with(answered(admitted), cors);
    } catch (Refusal refusal) {
      if (cors.size() == 0) {
        throw refusal;
      }
      // A page of another origin may read why it was refused.
      return with(Answer.problem(refusal), cors);
    } finally {
      observe(name, begun);
    }
  }

  /** The signature fits, and the operation is one of ours. */
  private Admitted admit(Exchange exchange, S3Target target) throws Refusal {
    S3Call call = call(exchange, target);
    boolean copies = exchange.headers().has(S3Call.COPY_SOURCE);
    boolean later = false;
    try {
      S3Operations.Operation operation =
          operations.find(exchange.method(), target.level(), call.query(), copies);
      exchange.span().with("ron.s3.operation", operation.name());
      later = operation.verb().isSignedInBody();
      return new Admitted(call, operation);
    } finally {
      // A form is let in when its fields are read: until then it is no stranger's.
      if (call.caller() instanceof S3Caller.Anonymous && !later) {
        admission.anonymous(exchange);
      }
    }
  }

  private Answer answered(Admitted admitted) throws Exception {
    S3Verb<?, ?> verb = admitted.operation.verb();
    S3Call call = verb.admit(admitted.call, admission);
    return charged(admitted, answer(verb, call)).with("x-amz-request-id", call.exchange().corrId());
  }

  private <Q, A> Answer answer(S3Verb<Q, A> verb, S3Call call) throws Exception {
    if (call.method().equals("GET") || call.method().equals("HEAD")) {
      return verb.write(
          context
              .names()
              .atOnce(
                  view -> {
                    S3Call now = call.by(view);
                    S3Rights.require(now, verb.action(now));
                    return verb.handle(verb.parse(now));
                  }));
    }
    S3Rights.require(call, verb.action(call));
    return verb.answer(call);
  }

  private static Answer charged(Admitted admitted, Answer answer) {
    if (answer.status() < 400) {
      admitted.call.exchange().payer().charge(unit(admitted.operation.name()), 1);
    }
    return answer;
  }

  /** The class of an operation, as stores of this kind charge for them. */
  private static Meter.Unit unit(String operation) {
    if (operation.startsWith("List")) {
      return Meter.Unit.S3_LISTS;
    }
    if (operation.startsWith("Get") || operation.startsWith("Head")) {
      return Meter.Unit.S3_READS;
    }
    return operation.startsWith("Delete") || operation.startsWith("Abort")
        ? Meter.Unit.S3_DELETES
        : Meter.Unit.S3_WRITES;
  }

  private S3Target target(Exchange exchange) throws Refusal {
    return S3Target.of(
        exchange.head().rawPath(), exchange.head().authority(), context.config().domain());
  }

  private void observe(String name, Instant begun) {
    Duration took = Duration.between(begun, context.time().now());
    context.metrics().requestSeconds().labelValues(name).observe(took.toNanos() / 1e9);
  }

  private static Answer plain(Callable<Answer> work) throws Exception {
    try {
      return work.call();
    } catch (PayloadFailure failure) {
      throw Refusal.of(failure.fault());
    } catch (UncheckedIOException trouble) {
      throw Refusal.of(fault(trouble.getCause()));
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
    S3Query query = query(exchange, caller);
    return new S3Call(
        context,
        context.names().view(),
        exchange,
        request,
        verification,
        caller,
        target,
        query,
        PresignedFields.of(verification, query, exchange.headers()),
        null);
  }

  private S3Query query(Exchange exchange, S3Caller caller) throws Refusal {
    try {
      return S3Query.parse(exchange.head().query());
    } catch (Refusal unreadable) {
      throw caller instanceof S3Caller.Anonymous
          ? admission.unsigned(exchange, unreadable)
          : unreadable;
    }
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
