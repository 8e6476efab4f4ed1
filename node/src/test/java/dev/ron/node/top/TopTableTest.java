package dev.ron.node.top;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TopTableTest {
  private static final Instant NOON = Instant.parse("2026-11-16T12:00:00Z");

  private static TopSample reading(int atSeconds, String metrics) {
    return TopSample.of("mailbox", NOON.plusSeconds(atSeconds), true, metrics);
  }

  @Test
  void theTableShowsWhatHappenedBetweenTwoReadings() {
    TopSample before =
        reading(
            0,
            """
            # TYPE http_requests_total counter
            http_requests_total{service="mailbox",route="/v1/send",method="POST",status="200"} 100.0
            http_requests_total{service="mailbox",route="/metrics",method="GET",status="200"} 7.0
            request_latency_seconds_bucket{service="mailbox",op="send",le="0.001"} 50
            request_latency_seconds_bucket{service="mailbox",op="send",le="+Inf"} 50
            """);
    TopSample after =
        reading(
            2,
            """
            http_requests_total{service="mailbox",route="/v1/send",method="POST",status="200"} 300.0
            http_requests_total{service="mailbox",route="/metrics",method="GET",status="200"} 9.0
            request_latency_seconds_bucket{service="mailbox",op="send",le="0.001"} 150
            request_latency_seconds_bucket{service="mailbox",op="send",le="+Inf"} 150
            service_restarts_total{service="mailbox",task="shard"} 3.0
            service_restarts_total{service="edge",task="keeper"} 5.0
            """);
    assertThat(TopTable.json(List.of(before), List.of(after)))
        .isEqualTo(
            """
            {"services":[{"service":"mailbox","ready":true,"requests_per_second":100.000,\
            "p50_ms":0.500,"p99_ms":0.990,"refused_per_second":0.000,"restarts":3,"dropped":0}]}
            """);
    assertThat(TopTable.text(List.of(before), List.of(after)))
        .contains(
            "mailbox    yes        100.0       0.50       0.99       0.0         3         0");
  }

  @Test
  void aProcessThatBeganAnewIsCountedFromNothing() {
    TopSample before =
        reading(0, "http_requests_total{service=\"mailbox\",route=\"/v1/send\"} 900.0\n");
    TopSample after =
        reading(1, "http_requests_total{service=\"mailbox\",route=\"/v1/send\"} 5.0\n");
    assertThat(TopTable.json(List.of(before), List.of(after)))
        .contains("\"requests_per_second\":5.000", "\"p50_ms\":null");
  }

  @Test
  void quantilesFollowTheBuckets() {
    var buckets = new TreeMap<>(Map.of(1.0, 10.0, 2.0, 20.0, Double.POSITIVE_INFINITY, 20.0));
    assertThat(TopTable.quantile(buckets, 0.25)).isEqualTo(0.5);
    assertThat(TopTable.quantile(buckets, 0.5)).isEqualTo(1.0);
    assertThat(TopTable.quantile(buckets, 0.75)).isEqualTo(1.5);
    assertThat(TopTable.quantile(new TreeMap<>(), 0.5)).isNaN();
  }
}
