package dev.ron.http.server;

import dev.ron.http.Headers;
import dev.ron.http.Transport;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Body;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.route.Routes;
import dev.ron.http.tls.DevCertificate;
import dev.ron.http.tls.Tls;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.log.LogLine;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/**
 * A server to be measured: hello, a 64 KiB file and a 64 KiB range of a larger one, with all layers
 * on.
 *
 * <p>Arguments: port, folder for files, transport, loops, and {@code tls} to make a certificate.
 */
public final class BenchServer {
  private static final int FILE_BYTES = 64 * 1024;
  private static final int LARGE_BYTES = 16 * 1024 * 1024;

  private BenchServer() {}

  public static void main(String[] args) throws Exception {
    int port = Integer.parseInt(args[0]);
    Path folder = Files.createDirectories(Path.of(args[1]));
    Transport transport = Transport.valueOf(args[2].toUpperCase(Locale.ROOT));
    var config =
        HttpServerConfig.on("127.0.0.1", port)
            .with(new Limits(20_000, 16 * 1024, 100, 1 << 20, 4096, 10_000_000))
            .with(transport)
            .withLoops(Integer.parseInt(args[3]))
            .withAccessLog(false);
    if (List.of(args).contains("tls")) {
      var pair = DevCertificate.make(folder, Instant.now());
      config = config.with(new Tls(pair.certificate(), pair.key()));
    }
    var log = new Log("bench", LogLine.Level.WARN, java.time.Instant::now, System.err::println);
    var server = new HttpServer(Scope.of("bench", World.real(log)), config, routes(folder));
    server.open();
    System.out.println("listening on " + server.address());
    Thread.currentThread().join();
  }

  private static Routes routes(Path folder) throws Exception {
    FileChannel file = FileChannel.open(filled(folder.resolve("64k"), FILE_BYTES));
    FileChannel large = FileChannel.open(filled(folder.resolve("16m"), LARGE_BYTES));
    Answer hello = Answer.text(200, "hello world\n");
    Headers plain = Headers.of("Content-Type", "application/octet-stream");
    Inline helloInline = x -> x.answer(hello);
    Blocking helloBlocking = _ -> hello;
    Inline fileInline =
        x ->
            x.answer(
                Answer.file(
                    200, plain, new Body.Region(file, 0, FILE_BYTES, Body.Region.After.KEEP)));
    Inline rangeInline = x -> x.answer(range(x, large));
    return Routes.of()
        .get("/hello", "hello", helloInline)
        .get("/hello-blocking", "hello-blocking", helloBlocking)
        .get("/64k", "file", fileInline)
        .get("/16m", "range", rangeInline);
  }

  /** One plain {@code bytes=a-b}; enough for a benchmark. */
  private static Answer range(Exchange x, FileChannel file) {
    String range = x.headers().first("Range");
    int dash = range == null ? -1 : range.indexOf('-');
    long from = dash < 0 ? 0 : Long.parseLong(range.substring(6, dash));
    long to = dash < 0 ? LARGE_BYTES - 1 : Long.parseLong(range.substring(dash + 1));
    Headers headers =
        Headers.of(
            "Content-Type",
            "application/octet-stream",
            "Content-Range",
            "bytes " + from + "-" + to + "/" + LARGE_BYTES);
    return Answer.file(
        206, headers, new Body.Region(file, from, to - from + 1, Body.Region.After.KEEP));
  }

  private static Path filled(Path file, int bytes) throws Exception {
    byte[] line = "0123456789abcdef".repeat(bytes / 16).getBytes(StandardCharsets.US_ASCII);
    return Files.write(file, line);
  }
}
