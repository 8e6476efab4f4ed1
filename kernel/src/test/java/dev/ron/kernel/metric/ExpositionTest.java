package dev.ron.kernel.metric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import org.junit.jupiter.api.Test;

/** Several services in one text that Prometheus takes: each family once, each sample labelled. */
final class ExpositionTest {
  @Test
  void familiesAreGatheredBehindOneHelpAndOneType() {
    var a = new Metrics();
    a.counter("sent_total", "Sent.", "topic").labelValues("x y{,} \"q\"").inc(2);
    a.gauge("depth", "Depth.").set(1);
    a.latency("took_seconds", "Took.").observe(0.3);
    var b = new Metrics();
    b.gauge("depth", "Depth.").set(7);
    b.counter("sent_total", "Sent.", "topic").labelValues("z").inc();
    var services = new LinkedHashMap<String, Metrics>();
    services.put("a", a);
    services.put("b", b);
    String text = Exposition.of(services);
    assertThat(text)
        .contains("sent_total{service=\"a\",topic=\"x y{,} \\\"q\\\"\"} 2.0\n")
        .contains("depth{service=\"a\"} 1.0\ndepth{service=\"b\"} 7.0\n")
        .contains("sent_total{service=\"b\",topic=\"z\"} 1.0\n")
        .contains("took_seconds_bucket{service=\"a\",le=\"+Inf\"} 1\n")
        .contains("took_seconds_count{service=\"a\"} 1\n");
    assertThat(text.lines().filter(line -> line.startsWith("#")))
        .doesNotHaveDuplicates()
        .hasSize(6);
  }
}
