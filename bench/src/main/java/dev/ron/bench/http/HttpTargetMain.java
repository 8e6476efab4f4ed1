package dev.ron.bench.http;

import dev.ron.http.Headers;
import dev.ron.http.server.HttpServer;
import dev.ron.http.server.HttpServerConfig;
import dev.ron.http.server.Inline;
import dev.ron.http.server.Limits;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Body;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.route.Routes;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.time.Deadline;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Our HTTP server in a process of its own, with what {@link HttpBenchmark} asks for behind it.
 *
 * <p>Every layer is in place; only the rate cap is lifted, as {@link Limits#OPEN} does for
 * benchmarks, and no access log is written, as nginx writes none either. Files are kept open, as
 * nginx keeps them.
 *
 * <p>It ends when its standard input does, and so with whoever started it, whatever happens to
 * them.
 *
 * <p>Threading: owned by the main thread; handlers run on the server's event loops and share what
 * is immutable.
 */
public final class HttpTargetMain {
  static final String HELLO = "hello";

  /** Names of the files in the folder, which are also their paths at the server. */
  static final String FILE = "file-64k";

  static final String LARGE = "file-16m";

  private static final Pattern RANGE = Pattern.compile("bytes=([0-9]{1,18})-([0-9]{1,18})");
  private static final String BYTES = "application/octet-stream";
  private static final Duration DRAIN = Duration.ofSeconds(1);

  private HttpTargetMain() {}

  /**
   * Serves until standard input ends.
   *
   * @param args the port, the number of event loops, the folder of the files
   */
  public static void main(String[] args) throws Exception {
    int port = Integer.parseInt(args[0]);
    int loops = Integer.parseInt(args[1]);
    Path folder = Path.of(args[2]);
    var scope = Scope.of("bench", World.real(Log.silent()));
    var config =
        HttpServerConfig.on("127.0.0.1", port)
            .with(Limits.OPEN)
            .withLoops(loops)
            .withAccessLog(false);
    try (FileChannel file = FileChannel.open(folder.resolve(FILE));
        FileChannel large = FileChannel.open(folder.resolve(LARGE))) {
      var server = new HttpServer(scope, config, routes(file, large));
      server.open();
      System.in.transferTo(OutputStream.nullOutputStream());
      server.close(Deadline.in(DRAIN, scope.time()));
    }
  }

  private static Routes routes(FileChannel file, FileChannel large) throws IOException {
    long fileBytes = file.size();
    long largeBytes = large.size();
    Answer hello = Answer.text(200, HELLO);
    return Routes.of()
        .get("/hello", "hello", (Inline) exchange -> exchange.answer(hello))
        .get(
            "/" + FILE,
            "file",
            (Inline) exchange -> exchange.answer(part(200, headers(), file, 0, fileBytes)))
        .get(
            "/" + LARGE,
            "range",
            (Inline) exchange -> exchange.answer(range(exchange, large, largeBytes)));
  }

  /**
   * One range, or the whole. Enough for a load that asks for one range that is there; what a
   * service answers to all others is a service's matter.
   */
  private static Answer range(Exchange exchange, FileChannel file, long bytes) {
    String wanted = exchange.headers().first("Range");
    if (wanted == null) {
      return part(200, headers(), file, 0, bytes);
    }
    Matcher range = RANGE.matcher(wanted);
    if (!range.matches()) {
      return Answer.empty(400);
    }
    long first = Long.parseLong(range.group(1));
    long last = Math.min(Long.parseLong(range.group(2)), bytes - 1);
    if (first > last) {
      return Answer.empty(416);
    }
    Headers headers = headers().add("Content-Range", "bytes " + first + "-" + last + "/" + bytes);
    return part(206, headers, file, first, last - first + 1);
  }

  private static Headers headers() {
    return Headers.of("Content-Type", BYTES, "Accept-Ranges", "bytes");
  }

  private static Answer part(
      int status, Headers headers, FileChannel file, long offset, long length) {
    return Answer.file(
        status, headers, new Body.Region(file, offset, length, Body.Region.After.KEEP));
  }
}
