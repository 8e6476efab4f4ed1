package dev.ron.kernel.metric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetricsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "queue_dropped_total{queue=\"x\"}",
        "busy_rejections_total{endpoint=\"x\"}",
        "tasks_spawned_total{kind=\"x\"}",
        "tasks_aborted_total{kind=\"x\"}",
        "tasks_canceled_total{kind=\"x\"}",
        "io_timeouts_total{op=\"x\"}",
        "backoff_retries_total{op=\"x\"}",
        "service_restarts_total{task=\"x\"}",
        "bus_lagged_total{topic=\"x\"}",
        "request_latency_seconds_count{op=\"x\"}",
        "http_requests_total{method=\"x\",route=\"x\",status=\"x\"}",
        "inflight_requests{route=\"x\"}",
        "rejected_total{reason=\"x\"}"
      })
  void theNamesAreAContract(String line) {
    var metrics = new Metrics();
    var kernel = KernelMetrics.in(metrics);
    List.of(
            kernel.queueDropped(),
            kernel.busyRejections(),
            kernel.tasksSpawned(),
            kernel.tasksAborted(),
            kernel.tasksCanceled(),
            kernel.ioTimeouts(),
            kernel.backoffRetries(),
            kernel.serviceRestarts(),
            kernel.busLagged(),
            kernel.rejected())
        .forEach(counter -> counter.labelValues("x").inc());
    kernel.httpRequests().labelValues("x", "x", "x").inc();
    kernel.inflightRequests().labelValues("x").set(1);
    kernel.requestLatency().labelValues("x").observe(0.1);
    assertThat(metrics.text()).contains(line + " 1");
  }

  @Test
  void aLabelThatCallersChooseHasFewValues() {
    var tenants = new CappedLabel(3);
    var labels = IntStream.range(0, 9).mapToObj(i -> tenants.of("tenant-" + i)).toList();
    assertThat(labels)
        .containsExactly(
            "tenant-0",
            "tenant-1",
            "tenant-2",
            "other",
            "other",
            "other",
            "other",
            "other",
            "other");
    assertThat(tenants.of("tenant-1")).isEqualTo("tenant-1");
  }
}
