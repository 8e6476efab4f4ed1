package dev.ron.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.Headers;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Body;
import dev.ron.http.server.route.Routes;
import dev.ron.http.testing.TestServer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
