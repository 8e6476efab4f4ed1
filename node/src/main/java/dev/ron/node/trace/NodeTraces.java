package dev.ron.node.trace;

import dev.ron.http.client.AddressPolicy;
import dev.ron.http.client.HttpClient;
import dev.ron.http.client.HttpClientConfig;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.channel.Overflow;
import dev.ron.kernel.channel.SendResult;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.kernel.trace.Span;
import dev.ron.kernel.trace.Tracer;
import dev.ron.rewarder.RewarderHttpClient;
import java.io.IOException;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The tracers of a node's services, and the task that sends what they recorded.
 *
 * <p>Threading: immutable; its task is part of the node's tree.
 *
 * @param tracer of each service, by its name
 * @param into the same tree with the task; services are added behind it
 */
public record NodeTraces(Function<String, Tracer> tracer, UnaryOperator<Supervisor> into) {
  private static final NodeTraces NONE = new NodeTraces(_ -> Tracer.NONE, UnaryOperator.identity());

  /**
   * @param node the name of this node
   */
  public static NodeTraces of(TracesConfig config, Scope scope, String node) throws IOException {
    if (!config.isOn()) {
      return NONE;
    }
    TraceMetrics metrics = TraceMetrics.in(scope.metrics());
    Channel<Span> spans =
        Channel.bounded(
            scope,
            "spans",
            config.queueSpansMax(),
            Overflow.REJECT_NEW,
            _ -> metrics.drop("shutdown", 1));
    var receivers =
        new Tracer.Receivers(
            scope.time(),
            scope.secrets(),
            span -> {
              if (!(spans.trySend(span) instanceof SendResult.Sent)) {
                metrics.drop("queue", 1);
              }
            },
            () -> metrics.drop("request", 1));
    var http = new HttpClient(scope, HttpClientConfig.standard().with(AddressPolicy.ANY));
    var collector = new Collector(http, config.uri(), config.fields());
    return new NodeTraces(
        service -> new Tracer(receivers, service, config.sample()),
        tree ->
            tree.door("spans-client", new RewarderHttpClient(http))
                .child(
                    "spans",
                    Restart.ALWAYS,
                    () -> new SpanExport(scope, spans, collector, node, metrics)));
  }
}
