package dev.ron.bench.store;

import dev.ron.bench.http.NginxPeer;
import dev.ron.bench.load.HttpSide;
import dev.ron.bench.load.Load;
import dev.ron.bench.load.LoadGenerator;
import dev.ron.bench.process.Peer;
import dev.ron.bench.process.SearchPath;
import dev.ron.bench.process.TempFolder;
import dev.ron.bench.run.BenchRun;
import dev.ron.bench.run.Benchmark;
import dev.ron.bench.run.Rounds;
import dev.ron.bench.run.Side;
import dev.ron.bench.s3.S3ProxyPeer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Objects read and stored in a second, beside nginx with static files and beside S3Proxy on a file
 * system.
 *
 * <p>Not the same work: ours hashes every byte it sends and flushes every object before it answers.
 * nginx and S3Proxy send what is in the file, and S3Proxy answers a write without a flush. nginx
 * takes writes by WebDAV, without a flush and without a checksum, which is too far from ours to be
 * compared.
 *
 * <p>Threading: immutable.
 */
public final class StorageBenchmark implements Benchmark {
  private static final int CONNECTIONS = 16;
  private static final int WARM_UP_SECONDS = 8;

  /** The sizes that are measured. */
  enum Size {
    KIB_4("4k", 4 << 10),
    KIB_64("64k", 64 << 10),
    MIB_1("1m", 1 << 20);

    private final String label;
    private final int bytes;

    Size(String label, int bytes) {
      this.label = label;
      this.bytes = bytes;
    }
  }

  private final List<Size> sizes;

  public StorageBenchmark() {
    this(List.of(Size.values()));
  }

  /** With fewer sizes, for tests of everything but the figures. */
  StorageBenchmark(List<Size> sizes) {
    this.sizes = List.copyOf(sizes);
  }

  @Override
  public String name() {
    return "storage";
  }

  @Override
  public String what() {
    return "objects read (verified) and stored (flushed) per second under wrk";
  }

  @Override
  public List<Peer> peers(SearchPath searchPath) {
    return List.of(
        NginxPeer.find(searchPath),
        S3ProxyPeer.find(searchPath),
        LoadGenerator.wrk(searchPath).program());
  }

  @Override
  public void run(BenchRun run) throws IOException, InterruptedException {
    LoadGenerator wrk = LoadGenerator.wrk(run.searchPath());
    Peer nginx = NginxPeer.find(run.searchPath());
    Peer s3proxy = S3ProxyPeer.find(run.searchPath());
    if (!wrk.program().isPresent()) {
      for (Size size : sizes) {
        run.absent("get-" + size.label, "objects/s", nginx, wrk.program());
        run.absent("get-" + size.label, "objects/s", s3proxy, wrk.program());
        run.absent("put-" + size.label, "objects/s", s3proxy, wrk.program());
      }
      return;
    }
    try (TempFolder folder = TempFolder.create()) {
      Path files = Files.createDirectory(folder.path().resolve("served"));
      for (Size size : sizes) {
        Files.write(files.resolve(size.label), object(size));
      }
      try (StorageServer ours = StorageServer.ours(folder.path());
          NginxPeer web =
              nginx.isPresent()
                  ? NginxPeer.serving(nginx, files, 1, NginxPeer.Protocol.HTTP_1)
                  : null;
          StorageServer theirs =
              s3proxy.isPresent() ? StorageServer.s3proxy(s3proxy, folder.path()) : null) {
        var contest = new Contest(run, wrk, folder.path(), ours, nginx, web, s3proxy, theirs);
        for (Size size : sizes) {
          contest.measure(size);
        }
      }
    }
  }

  private static byte[] object(Size size) {
    byte[] bytes = new byte[size.bytes];
    new SplittableRandom(size.bytes).nextBytes(bytes);
    return bytes;
  }

  /** All servers, up and running, and what asks them. */
  private record Contest(
      BenchRun run,
      LoadGenerator wrk,
      Path folder,
      StorageServer ours,
      Peer nginx,
      @Nullable NginxPeer web,
      Peer s3proxy,
      @Nullable StorageServer theirs) {
    void measure(Size size) throws IOException, InterruptedException {
      byte[] object = object(size);
      URI own = ours.uri().resolve(stored(object));
      requireSame(own, object);
      var mine = new HttpSide(wrk, load(own), ours::cpuTime);
      new HttpSide(wrk, new Load(own, CONNECTIONS, 1, WARM_UP_SECONDS), ours::cpuTime).measure();
      compare("get-" + size.label, nginx, mine, web == null ? null : side(web, size));
      HttpSide other = null;
      if (theirs != null) {
        URI there = theirs.uri().resolve(theirs.putPath() + size.label);
        send("PUT", there, object);
        requireSame(there, object);
        other = new HttpSide(wrk, load(there), theirs::cpuTime);
      }
      compare("get-" + size.label, s3proxy, mine, other);
      compare(
          "put-" + size.label,
          s3proxy,
          putter(ours, size, "ours.lua"),
          theirs == null ? null : putter(theirs, size, "theirs.lua"));
    }

    private HttpSide side(NginxPeer server, Size size) {
      return new HttpSide(wrk, load(server.uri().resolve("/" + size.label)), server::cpuTime);
    }

    private PutSide putter(StorageServer server, Size size, String script) {
      return new PutSide(
          wrk.program(), server, folder.resolve(script), size.bytes, CONNECTIONS, seconds());
    }

    private Load load(URI target) {
      return new Load(target, CONNECTIONS, 1, seconds());
    }

    private int seconds() {
      return Math.toIntExact(run.sideTime().toSeconds());
    }

    private void compare(
        String caseName,
        Peer peer,
        Side<HttpSide.Sample> mine,
        @Nullable Side<HttpSide.Sample> other)
        throws IOException, InterruptedException {
      Rounds<HttpSide.Sample> rounds =
          run.interleave("storage " + caseName + " / " + peer.name(), mine, other);
      run.compare(caseName, "objects/s", peer, rounds, HttpSide.Sample::requestsPerSecond);
      run.compare(
          caseName + "-cpu", "objects/cpu-s", peer, rounds, HttpSide.Sample::requestsPerCpuSecond);
    }

    /** Where our storage says the object is. */
    private String stored(byte[] object) throws IOException, InterruptedException {
      HttpResponse<byte[]> answer = send("POST", ours.uri().resolve("/o"), object);
      return answer.headers().firstValue("Location").orElseThrow();
    }

    private static void requireSame(URI where, byte[] object)
        throws IOException, InterruptedException {
      if (!Arrays.equals(send("GET", where, new byte[0]).body(), object)) {
        throw new IOException(where + " does not answer what was stored there");
      }
    }

    private static HttpResponse<byte[]> send(String method, URI uri, byte[] body)
        throws IOException, InterruptedException {
      try (var client = HttpClient.newHttpClient()) {
        HttpResponse<byte[]> answer =
            client.send(
                HttpRequest.newBuilder(uri)
                    .version(HttpClient.Version.HTTP_1_1)
                    .method(method, BodyPublishers.ofByteArray(body))
                    .build(),
                BodyHandlers.ofByteArray());
        if (answer.statusCode() >= 300) {
          throw new IOException(method + " " + uri + " answered " + answer.statusCode());
        }
        return answer;
      }
    }
  }
}
