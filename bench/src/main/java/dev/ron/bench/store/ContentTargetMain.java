package dev.ron.bench.store;

import dev.ron.blake3.Address;
import dev.ron.content.ContentFault;
import dev.ron.content.ContentMetrics;
import dev.ron.content.ContentReader;
import dev.ron.content.OpenRegion;
import dev.ron.content.OpenResult;
import dev.ron.content.store.SegmentConfig;
import dev.ron.content.store.SegmentStore;
import dev.ron.content.store.VerifyMode;
import dev.ron.http.Headers;
import dev.ron.http.server.Blocking;
import dev.ron.http.server.HttpServer;
import dev.ron.http.server.HttpServerConfig;
import dev.ron.http.server.Inline;
import dev.ron.http.server.Limits;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Body;
import dev.ron.http.server.route.Routes;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.kernel.supervise.Tree;
import dev.ron.kernel.time.Deadline;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A content store behind our HTTP server in a process of its own: the same object at {@code /once}
 * and at {@code /always}, from a store of each setting.
 *
 * <p>The lookup, the lease and the way out are a service's; names, conditions and ranges are not
 * here. What may leave by file region is answered on the event loop, what has to be read and hashed
 * on a virtual thread.
 *
 * <p>It ends when its standard input does.
 *
 * <p>Threading: owned by the main thread; handlers share the stores, which are thread-safe.
 */
public final class ContentTargetMain {
  static final String ONCE = "once";
  static final String ALWAYS = "always";

  private static final Duration DRAIN = Duration.ofSeconds(1);

  private ContentTargetMain() {}

  /**
   * Serves until standard input ends.
   *
   * @param args the port, the number of event loops, the file to serve, the folder of the stores
   */
  public static void main(String[] args) throws Exception {
    int port = Integer.parseInt(args[0]);
    int loops = Integer.parseInt(args[1]);
    Path file = Path.of(args[2]);
    Path folder = Path.of(args[3]);
    var scope = Scope.of("bench", World.real(Log.silent()));
    var metrics = ContentMetrics.in(scope);
    try (SegmentStore once = open(scope, folder.resolve(ONCE), VerifyMode.ONCE, 0, metrics);
        SegmentStore always = open(scope, folder.resolve(ALWAYS), VerifyMode.ALWAYS, 1, metrics)) {
      List<SegmentStore> stores = List.of(once, always);
      Tree tasks =
          Supervisor.named("stores")
              .children("commit", stores, Restart.ALWAYS, SegmentStore::groupCommit)
              .children("housekeeping", stores, Restart.ALWAYS, SegmentStore::housekeeping)
              .start(scope);
      Address address = put(once, file);
      put(always, file);
      var config =
          HttpServerConfig.on("127.0.0.1", port)
              .with(Limits.OPEN)
              .withLoops(loops)
              .withAccessLog(false);
      var server = new HttpServer(scope, config, routes(once, always, address));
      server.open();
      System.in.transferTo(OutputStream.nullOutputStream());
      server.close(Deadline.in(DRAIN, scope.time()));
      tasks.drain();
    }
  }

  private static SegmentStore open(
      Scope scope, Path folder, VerifyMode verify, int number, ContentMetrics metrics)
      throws IOException {
    return SegmentStore.open(scope, SegmentConfig.in(folder).withVerify(verify), number, metrics);
  }

  private static Address put(SegmentStore store, Path file)
      throws IOException, InterruptedException {
    try (InputStream in = Files.newInputStream(file)) {
      return store.put(in).orThrow().address();
    }
  }

  private static Routes routes(SegmentStore once, SegmentStore always, Address address) {
    return Routes.of()
        .get("/" + ONCE, ONCE, (Inline) exchange -> exchange.answer(sent(once, address)))
        .get("/" + ALWAYS, ALWAYS, (Blocking) _ -> read(always, address));
  }

  /** By file region if it may, and else as {@link #read} does. */
  private static Answer sent(SegmentStore store, Address address) {
    return switch (store.open(address)) {
      case OpenResult.Refused(ContentFault fault) -> Answer.problem(500, fault);
      case OpenResult.Opened(ContentReader reader) -> {
        Optional<OpenRegion> region = reader.openRegion();
        if (region.isPresent()) {
          OpenRegion open = region.get();
          var body =
              new Body.Region(open.file(), open.position(), open.lengthBytes(), reader::close);
          yield Answer.file(200, headers(), body);
        }
        // The stream is written later, by a thread of its own, or never: it opens its own reader.
        reader.close();
        yield read(store, address);
      }
    };
  }

  private static Answer read(SegmentStore store, Address address) {
    return store
        .stat(address)
        .map(
            stat ->
                Answer.stream(
                    200,
                    headers(),
                    stat.sizeBytes(),
                    sink -> {
                      try (ContentReader reader = store.open(address).orThrow()) {
                        Optional<ContentFault> fault = reader.transferTo(sink);
                        if (fault.isPresent()) {
                          throw new IOException(fault.get().detail());
                        }
                      }
                      return new Headers(1);
                    }))
        .orElseGet(() -> Answer.empty(404));
  }

  private static Headers headers() {
    return Headers.of("Content-Type", "application/octet-stream", "Accept-Ranges", "bytes");
  }
}
