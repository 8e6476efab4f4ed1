package dev.ron.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.bench.process.Peer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComparisonTest {
  private static final Peer NGINX =
      new Peer("nginx", "apt-get install nginx", "-v", Path.of("/usr/sbin/nginx"));
  private static final Peer NO_NGINX = new Peer("nginx", "apt-get install nginx", "-v", null);

  @Test
  void aMeasuredPeerGivesTheLineOfTheContract() {
    assertThat(line(NGINX, rounds(new double[] {90, 110, 100}, new double[] {100, 100, 200})))
        .isEqualTo(
            "{\"bench\":\"http\",\"case\":\"small\",\"ours\":100,\"peer\":100,"
                + "\"peer_name\":\"nginx\",\"unit\":\"requests/s\",\"ratio\":0.9,\"rounds\":3,"
                + "\"spread\":0.333333}");
  }

  @Test
  void anAbsentPeerIsSaidToBeAbsentAndNothingIsInvented() {
    assertThat(line(NO_NGINX, rounds(new double[] {90, 110, 100}, null)))
        .isEqualTo(
            "{\"bench\":\"http\",\"case\":\"small\",\"ours\":100,\"peer\":null,"
                + "\"peer_name\":\"nginx\",\"unit\":\"requests/s\",\"ratio\":null,\"rounds\":3,"
                + "\"spread\":0.1,"
                + "\"absent\":\"nginx is not installed; apt-get install nginx\"}");
  }

  @Test
  void aRatePerNoCpuTimeIsNoReading() {
    double infinite = Double.POSITIVE_INFINITY;
    assertThat(line(NGINX, rounds(new double[] {90, 100}, new double[] {100, infinite})))
        .contains("\"ours\":95,\"peer\":null", "\"ratio\":null")
        .contains("\"absent\":\"no usable reading of nginx; more --seconds may help\"");
    assertThat(line(NGINX, rounds(new double[] {infinite, 100}, new double[] {100, 100})))
        .contains("\"ours\":null,\"peer\":100", "\"ratio\":null", "\"spread\":null")
        .contains("\"absent\":\"no usable reading of ours; more --seconds may help\"");
    assertThat(line(NGINX, rounds(new double[] {1, 1}, new double[] {0, 1})))
        .contains("\"peer\":null,", "\"ratio\":null");
  }

  private static String line(Peer peer, Rounds<Double> rounds) {
    return Comparison.of("http", "small", "requests/s", peer, rounds, value -> value).json();
  }

  private static Rounds<Double> rounds(double[] ours, double[] peer) {
    List<Rounds.Round<Double>> all = new ArrayList<>();
    for (int i = 0; i < ours.length; i++) {
      all.add(new Rounds.Round<>(ours[i], peer == null ? null : (Double) peer[i]));
    }
    return new Rounds<>(all, false);
  }
}
