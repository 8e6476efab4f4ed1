package dev.ron.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.Headers;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Body;
import dev.ron.http.server.route.Routes;
import dev.ron.http.testing.TestServer;
import dev.ron.testkit.RawHttp2;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Parts of files on both sides of the length up to which they are read and not handed over. */
class FileAnswerTest {
  private static final int FILE_BYTES = 200_000;
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"0,1", "7,100", "1,32767", "1,32768", "1,32769", "0,200000", "199999,1"})
  void everyLengthArrivesWholeAndTheConnectionGoesOn(int offset, int length) throws Exception {
    byte[] content = new byte[FILE_BYTES];
    new SplittableRandom(length).nextBytes(content);
    String wanted = new String(content, offset, length, StandardCharsets.ISO_8859_1);
    Path file = Files.write(folder.resolve("file"), content);
    var released = new Semaphore(0);
    try (FileChannel open = FileChannel.open(file);
        var server = serving(open, offset, length, released);
        var client = server.connect()) {
      for (int i = 0; i < 3; i++) {
        assertThat(client.send("GET /file HTTP/1.1\r\nHost: a\r\n\r\n").answer())
            .contains("Content-Length: " + length + "\r\n")
            .endsWith("\r\n\r\n" + wanted);
      }
      assertThat(released.tryAcquire(3, 10, TimeUnit.SECONDS)).isTrue();
      assertThat(released.availablePermits()).isZero();
    }
  }

  @ParameterizedTest
  @CsvSource({"10,100", "0,100", "1000,32768", "40000,32769", "100,200000"})
  void aFileThatShrankEndsTheConnectionAndDoesNotHang(int there, int promised) throws Exception {
    Path file = Files.write(folder.resolve("file"), new byte[there]);
    var released = new Semaphore(0);
    try (FileChannel open = FileChannel.open(file);
        var server = serving(open, Math.max(0, there - 10), promised, released);
        var client = server.connect()) {
      String got = client.send("GET /file HTTP/1.1\r\nHost: a\r\n\r\n").rest();
      assertThat(got.replaceFirst("(?s)^.*?\r\n\r\n", "")).hasSizeLessThan(promised);
      assertThat(released.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
      assertThat(released.availablePermits()).isZero();
    }
  }

  private static final String TAIL = " HTTP/1.1\r\nHost: a\r\n\r\n";

  @ParameterizedTest
  @ValueSource(strings = {"0+200000", "7+1 0+1", "100000+90000 0+40000 5+10 199999+1", "9+0 3+2"})
  void partsArriveBehindOneAnotherAndEachIsLetGoOnce(String text) throws Exception {
    byte[] content = new byte[FILE_BYTES];
    new SplittableRandom(1).nextBytes(content);
    Path file = Files.write(folder.resolve("file"), content);
    var released = new Semaphore(0);
    try (FileChannel open = FileChannel.open(file)) {
      List<Body.Region> parts = parts(open, text, released);
      var wanted = new StringBuilder();
      for (Body.Region part : parts) {
        int from = (int) part.offset();
        wanted.append(new String(content, from, (int) part.length(), StandardCharsets.ISO_8859_1));
      }
      Inline inline = exchange -> exchange.answer(inParts(parts));
      Blocking blocking = _ -> inParts(parts);
      Routes routes = Routes.of().get("/file", "file", inline).get("/slow", "slow", blocking);
      try (var server = new TestServer(routes);
          var client = server.connect()) {
        for (String path : List.of("/file", "/slow")) {
          assertThat(client.send("GET " + path + TAIL).answer()).endsWith("\r\n\r\n" + wanted);
          letGo(released, parts);
          assertThat(client.send("HEAD " + path + TAIL).head())
              .contains("Content-Length: " + wanted.length() + "\r\n");
          letGo(released, parts);
          for (String method : List.of("GET", "HEAD")) {
            // It may leave before all of a body is there: then too all is let go.
            assertThat(http2(server, method, path)).isEqualTo("200");
            letGo(released, parts);
          }
        }
      }
    }
  }

  private static String http2(TestServer server, String method, String path) throws Exception {
    try (var client = new RawHttp2(server.port())) {
      return client.ask(
          List.of(":method", method, ":scheme", "http", ":authority", "a", ":path", path), "");
    }
  }

  private static Answer inParts(List<Body.Region> parts) {
    return new Answer(200, new Headers(), new Body.Regions(parts));
  }

  private static List<Body.Region> parts(FileChannel file, String text, Semaphore released) {
    return Arrays.stream(text.split(" ", -1))
        .map(part -> part.split("\\+", -1))
        .map(part -> List.of(Long.parseLong(part[0]), Long.parseLong(part[1])))
        .map(part -> new Body.Region(file, part.getFirst(), part.getLast(), released::release))
        .toList();
  }

  private static void letGo(Semaphore released, List<Body.Region> parts) throws Exception {
    assertThat(released.tryAcquire(parts.size(), 10, TimeUnit.SECONDS)).isTrue();
    assertThat(released.availablePermits()).isZero();
  }

  private static TestServer serving(FileChannel file, int offset, int length, Semaphore released)
      throws Exception {
    Inline handler =
        exchange ->
            exchange.answer(
                Answer.file(
                    200, new Headers(), new Body.Region(file, offset, length, released::release)));
    return new TestServer(Routes.of().get("/file", "file", handler));
  }
}
