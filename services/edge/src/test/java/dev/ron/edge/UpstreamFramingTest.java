package dev.ron.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.testkit.RawClient;
import dev.ron.testkit.RawHttp2;
import dev.ron.testkit.RecordingOrigin;
import dev.ron.testkit.Seeds;
import dev.ron.testkit.WireProbe;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an upstream of a mount is sent, whatever the edge was asked. */
final class UpstreamFramingTest {
  private static final int SEEDS = 6;
  private static final int PROBES = 20;

  @TempDir private Path folder;

  /** Requests that are passed on carry their bodies; what fills the cache is asked without any. */
  @Test
  void anUpstreamHearsWhatWasAnnouncedAndNothingElse() {
    Seeds.forEach(
        SEEDS,
        (seed, random) -> {
          Map<WireProbe, String> answered = new LinkedHashMap<>();
          try (var origin = new RecordingOrigin();
              Rig rig = Rig.before(folder.resolve("" + seed), origin.url())) {
            for (int id = 0; id < PROBES; id++) {
              WireProbe probe =
                  WireProbe.of(
                      id,
                      random,
                      List.of("gzip", "deflate"),
                      UpstreamFramingTest::coded,
                      WireProbe.methods());
              answered.put(probe, probe.send(rig.wired.door().port(), ""));
            }
            WireProbe.check(origin, answered, false);
            assertThat(answered).as("seed %d", seed).containsValue("200");
          }
        });
  }

  private static byte[] coded(String coding, byte[] plain) throws IOException {
    var out = new ByteArrayOutputStream();
    try (OutputStream to =
        coding.equals("gzip") ? new GZIPOutputStream(out) : new DeflaterOutputStream(out)) {
      to.write(plain);
    }
    return out.toByteArray();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/..%2fx", "/..%2Fx", "/..%5cx", "/..;/x", "/a/..%252fx", "//x", "/a%2fb", "/;x"})
  void aPathThatCouldLeaveItsMountIsRefused(String path) throws Exception {
    refused(path, "the path has more than one reading: it has");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/%c0%ae%c0%ae/x", "/%e0%80%ae", "/%ed%a0%80", "/%f4%90%80%80", "/%ff"})
  void aPathThatIsNotUtf8IsRefused(String path) throws Exception {
    refused(path, "the escapes are not UTF-8");
  }

  private void refused(String path, String why) throws Exception {
    try (var origin = new RecordingOrigin();
        Rig rig = Rig.before(folder, origin.url() + "/pub")) {
      int port = rig.wired.door().port();
      try (var client = new RawClient(port)) {
        assertThat(client.send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n").answer())
            .contains(" 400 ")
            .contains(why);
      }
      try (var client = new RawHttp2(port)) {
        List<String> head =
            List.of(":method", "POST", ":scheme", "http", ":authority", "localhost", ":path", path);
        assertThat(client.ask(head, "abc")).isEqualTo("400");
      }
      assertThat(origin.requests()).isEmpty();
    }
  }
}
