package dev.ron.edge;

import dev.ron.http.HttpFault;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Body;
import dev.ron.kernel.Scope;
import dev.ron.kernel.fault.Fault;
import dev.ron.kernel.fault.KernelFault;
import dev.ron.kernel.metric.Metrics;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.Histogram;

/**
 * Every metric of the edge besides the kernel's.
 *
 * <p>{@code edge_cache_bytes} is sampled from the cache when it is scraped.
 *
 * <p>Threading: immutable; the metrics themselves are thread-safe.
 */
public record EdgeMetrics(
    Counter hits, Counter misses, Gauge inflight, Counter rejects, Histogram fillSeconds) {
  public static EdgeMetrics in(Scope scope) {
    Metrics metrics = scope.metrics();
    return new EdgeMetrics(
        metrics.counter("edge_cache_hits_total", "Answers from packs or from the cache."),
        metrics.counter("edge_cache_misses_total", "Requests that an upstream was asked for."),
        metrics.gauge("edge_inflight", "Fills that wait or are under way."),
        metrics.counter("edge_rejects_total", "Requests the edge refused, by reason.", "reason"),
        metrics.latency("edge_fill_seconds", "From a fill's start to its last byte."));
  }

  /** Counts every fault that becomes an answer, the door's own under the edge's names for them. */
  public void refused(Fault fault) {
    switch (fault) {
      case EdgeFault own -> rejects.labelValues(own.reason()).inc();
      case HttpFault.MethodNotAllowed _ -> rejects.labelValues("not_allowed").inc();
      case HttpFault.BodyCap _ -> rejects.labelValues("body_cap").inc();
      case HttpFault.Quota _, KernelFault.Busy _ -> rejects.labelValues("rate_limit").inc();
      case KernelFault.Timeout _ -> rejects.labelValues("timeout").inc();
      default -> {} // what no reader of this metric asks for, such as a path without a route
    }
  }

  /** Counts an answer out of a pack or the cache; a refusal is none. */
  public Answer hit(Answer answer) {
    if (!(answer.body() instanceof Body.Refused)) {
      hits.inc();
    }
    return answer;
  }
}
