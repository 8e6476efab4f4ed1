package dev.ron.mailbox.sqs;

import dev.ron.capability.KeyRing;
import dev.ron.capability.Verifier;
import dev.ron.config.DoorAddress;
import dev.ron.http.server.Access;
import dev.ron.http.server.Dialect;
import dev.ron.http.server.HttpServer;
import dev.ron.http.server.HttpServerConfig;
import dev.ron.http.server.Limits;
import dev.ron.http.server.exchange.Decoders;
import dev.ron.http.server.guard.Guard;
import dev.ron.http.server.route.Route;
import dev.ron.http.server.route.Routes;
import dev.ron.kernel.Scope;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.mailbox.queue.Queues;
import dev.ron.mailbox.sqs.api.ReceiptHandles;
import dev.ron.mailbox.sqs.api.SqsContext;
import dev.ron.mailbox.sqs.api.SqsDoor;
import dev.ron.mailbox.sqs.message.PeekMessages;
import dev.ron.mailbox.sqs.protocol.SqsErrorFormat;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The wiring of the SQS door: it has no tasks of its own, the mailbox does the work.
 *
 * <p>Its tree is a branch of the mailbox's, below everything else there, so that its requests have
 * ended before a shard does.
 */
public final class MailboxSqsService {
  /** A long poll of 20 s, and time for its answer. */
  private static final Duration REQUEST_LIMIT = Duration.ofSeconds(60);

  private MailboxSqsService() {}

  /** The tree, and the door its address is asked of once it is open. */
  public record Wired(Supervisor supervisor, HttpServer door) {}

  /**
   * @param hosts names besides this machine's own that the door answers to
   * @param verifier null takes every key, as {@code any_key} does
   * @throws IOException if the certificate cannot be read; the message says why
   */
  public static Wired wire(
      MailboxSqsConfig config,
      Queues queues,
      Scope scope,
      Limits limits,
      List<String> hosts,
      @Nullable Verifier verifier)
      throws IOException {
    Verifier checking = config.anyKey() ? null : verifier;
    if (checking == null) {
      scope.readiness().note("keys", "every key is accepted, unchecked");
      scope.log().warn("sqs-any-key", "why", "mailbox.sqs.any_key lets every client in");
    }
    var context =
        new SqsContext(
            config,
            queues,
            new ReceiptHandles(keys(scope, verifier)),
            MailboxSqsMetrics.in(scope),
            scope.time());
    var sqs =
        new SqsDoor(
            context,
            checking,
            limits.requestsPerSecondMax(),
            SqsActionTable.of(context),
            new PeekMessages(context));
    HttpServer door = door(context, sqs, scope, limits, hosts, checking);
    return new Wired(Supervisor.named("sqs").door("http", door), door);
  }

  /** Without a ring of the node's, handles live as long as the process. */
  private static Supplier<KeyRing> keys(Scope scope, @Nullable Verifier verifier) {
    if (verifier != null) {
      return verifier::keys;
    }
    KeyRing own = KeyRing.generate(scope.secrets());
    return () -> own;
  }

  private static HttpServer door(
      SqsContext context,
      SqsDoor sqs,
      Scope scope,
      Limits limits,
      List<String> hosts,
      @Nullable Verifier verifier)
      throws IOException {
    MailboxSqsConfig config = context.config();
    DoorAddress address = config.address();
    var routes =
        Routes.of(Route.all("sqs", sqs).bodyBytesMax(SqsDoor.bodyBytesMax()).within(REQUEST_LIMIT));
    var own =
        new Limits(
            limits.connectionsMax(),
            limits.headBytesMax(),
            limits.fieldsMax(),
            limits.bodyBytesMax(),
            config.requests(),
            0);
    var http =
        HttpServerConfig.on(address.bind().host(), address.bind().port())
            .securedForAnyClient(address.tlsCertificate(), address.tlsKey())
            .besides(address.uds(), address.udsUids())
            .with(own)
            .with(Access.of(hosts, scope, verifier))
            .with(Dialect.raw(new SqsErrorFormat()).withAnyExpectation())
            .onRefusal(
                fault ->
                    context
                        .metrics()
                        .errors()
                        .labelValues(SqsErrorFormat.fault(fault).queryCode())
                        .inc());
    return new HttpServer(scope, http, routes, Guard.LATER, Decoders.NONE);
  }
}
