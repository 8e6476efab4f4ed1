package dev.ron.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.aayushatharva.brotli4j.Brotli4jLoader;
import com.aayushatharva.brotli4j.encoder.Encoder;
import com.github.luben.zstd.Zstd;
import dev.ron.testkit.RecordingOrigin;
import dev.ron.testkit.Seeds;
import dev.ron.testkit.WireProbe;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Whatever is sent to the gateway, in odd codings, framings and fields: each connection to the
 * upstream carries exactly what its heads announced, and no request that no client sent.
 */
final class UpstreamFramingTest {
  private static final int SEEDS = 12;
  private static final int PROBES = 25;
  private static final List<String> CODINGS = List.of("gzip", "deflate", "zstd", "br");

  @Test
  void anUpstreamHearsWhatWasAnnouncedAndNothingElse() {
    Seeds.forEach(
        SEEDS,
        (seed, random) -> {
          Map<WireProbe, String> answered = new LinkedHashMap<>();
          try (var origin = new RecordingOrigin();
              Rig rig = Rig.open(Rig.route("retries=0", origin.port()))) {
            for (int id = 0; id < PROBES; id++) {
              WireProbe probe =
                  WireProbe.of(
                      id, random, CODINGS, UpstreamFramingTest::coded, WireProbe.methods());
              answered.put(probe, probe.send(rig.port(), ""));
            }
            WireProbe.check(origin, answered);
            assertThat(answered).as("seed %d", seed).containsValue("200");
          }
        });
  }

  /**
   * The coded body is exactly as long as what stands before a hidden request in the plain one, so
   * that a gateway which announces the one and sends the other passes the hidden request on.
   */
  @ParameterizedTest
  @CsvSource({
    "false, identity|gzip, 400",
    "true, identity|gzip, 400",
    "false, 'identity, gzip', 200",
    "true, 'identity,\tGZIP', 200",
    "false, gzip, 200",
    "true, gzip, 200"
  })
  void aDecodedBodyIsNotAnnouncedByItsCodedLength(boolean http2, String lines, String outcome)
      throws Exception {
    String hidden = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n";
    var noise = new byte[66_000];
    new SplittableRandom(1).nextBytes(noise);
    byte[] plain = noise;
    byte[] wire = noise;
    for (int round = 0; wire.length != plain.length - hidden.length(); round++) {
      assertThat(round).as("it converges").isLessThan(20);
      var out = new ByteArrayOutputStream();
      out.writeBytes(noise);
      String rest = "A".repeat(Math.max(0, wire.length - noise.length)) + hidden;
      out.writeBytes(rest.getBytes(StandardCharsets.US_ASCII));
      plain = out.toByteArray();
      wire = coded("gzip", plain);
    }
    var fields = new ArrayList<String>();
    for (String line : lines.split("\\|", -1)) {
      fields.addAll(List.of("Content-Encoding", line));
    }
    var probe = new WireProbe(1, http2, "POST", fields, plain, wire, true, false, List.of());
    try (var origin = new RecordingOrigin();
        Rig rig = Rig.open(Rig.route("retries=0", origin.port()))) {
      String answered = probe.send(rig.port(), "");
      WireProbe.check(origin, Map.of(probe, answered));
      assertThat(answered).isEqualTo(outcome);
      assertThat(origin.requests()).hasSize(outcome.equals("200") ? 1 : 0);
    }
  }

  private static byte[] coded(String coding, byte[] plain) throws IOException {
    return switch (coding) {
      case "zstd" -> Zstd.compress(plain);
      case "br" -> {
        Brotli4jLoader.ensureAvailability();
        yield Encoder.compress(plain, new Encoder.Parameters().setQuality(5).setWindow(18));
      }
      default -> {
        var out = new ByteArrayOutputStream();
        try (OutputStream to =
            coding.equals("gzip") ? new GZIPOutputStream(out) : new DeflaterOutputStream(out)) {
          to.write(plain);
        }
        yield out.toByteArray();
      }
    };
  }
}
