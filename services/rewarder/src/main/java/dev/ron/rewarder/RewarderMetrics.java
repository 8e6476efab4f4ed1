package dev.ron.rewarder;

import dev.ron.kernel.Scope;
import dev.ron.kernel.metric.Metrics;
import dev.ron.rewarder.core.Manifest;
import dev.ron.rewarder.core.RunStatus;
import dev.ron.rewarder.core.Wide;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.snapshots.Unit;
import java.time.Duration;
import java.util.Map;

/**
 * Every metric of the rewarder besides the kernel's.
 *
 * <p>Amounts past 2^63 are shown as that: a gauge is for looking at, the manifest is exact.
 *
 * <p>Threading: immutable; the metrics themselves are thread-safe.
 */
public record RewarderMetrics(
    Counter runs,
    Histogram computeSeconds,
    Gauge poolMinor,
    Gauge payoutMinor,
    Gauge conservationDelta,
    Counter quarantines,
    Counter intents,
    Counter droppedResults) {
  public static RewarderMetrics in(Scope scope) {
    Metrics metrics = scope.metrics();
    return new RewarderMetrics(
        metrics.counter("reward_runs_total", "Runs that were kept.", "status"),
        metrics.latency("reward_compute_latency_seconds", "Time to compute one run."),
        metrics.gauge("reward_pool_total_minor", "The pool of the last closed run."),
        metrics.gauge("reward_payout_total_minor", "What the last closed run pays."),
        metrics.gauge(
            "reward_conservation_delta_minor",
            "Pool less paid, held and residual of the last closed run; anything but 0 is a bug."),
        metrics.counter("quarantine_total", "Runs that were quarantined.", "reason"),
        metrics.counter("ledger_intents_total", "Intents by what became of them.", "result"),
        metrics.counter("dropped_results_total", "Computed runs that a shutdown dropped."));
  }

  /** A run was kept. */
  @SuppressWarnings("LongDoubleConversion") // a gauge is no more exact; the manifest is
  public void finished(Manifest manifest, Duration took) {
    runs.labelValues(manifest.text("status")).inc();
    computeSeconds.observe(Unit.nanosToSeconds(took.toNanos()));
    if (manifest.status() == RunStatus.QUARANTINED) {
      String code =
          manifest.fields().get("reason") instanceof Map<?, ?> reason
              ? String.valueOf(reason.get("code"))
              : "unknown";
      quarantines.labelValues(code).inc();
    } else {
      Wide paid = manifest.wide("paid_minor");
      Wide kept = manifest.wide("held_minor").plus(manifest.wide("residual_minor"));
      poolMinor.set(shown(manifest.wide("pool_minor")));
      payoutMinor.set(shown(paid));
      conservationDelta.set(shown(manifest.wide("pool_minor").minus(paid.plus(kept))));
    }
  }

  private static long shown(Wide amount) {
    return amount.high() != 0 || amount.low() < 0 ? Long.MAX_VALUE : amount.low();
  }
}
