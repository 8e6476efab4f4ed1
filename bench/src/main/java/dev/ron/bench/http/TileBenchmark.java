package dev.ron.bench.http;

import dev.ron.bench.load.HttpSide;
import dev.ron.bench.load.Load;
import dev.ron.bench.load.LoadGenerator;
import dev.ron.bench.process.ChildJvmCommand;
import dev.ron.bench.process.ChildProcess;
import dev.ron.bench.process.Peer;
import dev.ron.bench.process.SearchPath;
import dev.ron.bench.process.TempFolder;
import dev.ron.bench.run.BenchRun;
import dev.ron.bench.run.Benchmark;
import dev.ron.bench.run.Rounds;
import dev.ron.tilepack.sample.SamplePack;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Tiles that the edge answers in a second and in a CPU second, beside tileserver-gl-light with the
 * same pack: one warm, gzipped tile of the sample map.
 *
 * <p>Both must answer the same tile before they are timed.
 *
 * <p>Threading: immutable.
 */
public final class TileBenchmark implements Benchmark {
  private static final String TILE = "8/127/127";
  private static final Map<String, String> GZIP = Map.of("Accept-Encoding", "gzip");
  private static final Duration START_LIMIT = Duration.ofSeconds(60);
  private static final int CONNECTIONS = 8;
  private static final int TRIES_MAX = 2000;
  private static final Pattern TILES = Pattern.compile("\"tiles\":\\[\"([^\"]+)\"");

  /** Loads of a second before it counts; a fresh JVM interprets and compiles. */
  private static final int WARM_UP_LOADS = 5;

  @Override
  public String name() {
    return "tiles";
  }

  @Override
  public String what() {
    return "tiles of a pack answered per second and per CPU second under wrk";
  }

  @Override
  public List<Peer> peers(SearchPath searchPath) {
    return List.of(tileserver(searchPath), LoadGenerator.wrk(searchPath).program());
  }

  /** Its npm package installs it under either name. */
  private static Peer tileserver(SearchPath path) {
    Path program =
        path.find("tileserver-gl-light").or(() -> path.find("tileserver-gl")).orElse(null);
    // It loads all of itself before it tells its version, which can take longer than we wait.
    return new Peer("tileserver-gl-light", "npm install -g tileserver-gl-light", null, program);
  }

  @Override
  public void run(BenchRun run) throws IOException, InterruptedException {
    Peer peer = tileserver(run.searchPath());
    LoadGenerator wrk = LoadGenerator.wrk(run.searchPath());
    if (!wrk.program().isPresent()) {
      run.absent("tile-cpu", "tiles/cpu-s", peer, wrk.program());
      run.absent("tile-rate", "tiles/s", peer, wrk.program());
      return;
    }
    try (TempFolder folder = TempFolder.create()) {
      Path packs = Files.createDirectory(folder.path().resolve("packs"));
      Path pack = Files.write(packs.resolve("isles.pmtiles"), SamplePack.bytes());
      int port = ChildProcess.freePort();
      int theirPort = ChildProcess.freePort();
      try (ChildProcess ours = ours(folder.path(), packs, port);
          ChildProcess theirs =
              peer.isPresent() ? theirs(peer, folder.path(), pack, theirPort) : null) {
        URI our = URI.create("http://127.0.0.1:%d/edge/assets/isles/%s.pbf".formatted(port, TILE));
        @Nullable URI their = theirs == null ? null : theirTile(theirPort);
        requireSameTile(our, their);
        measure(
            run,
            peer,
            wrk,
            side(wrk, our, ours, 1),
            theirs == null || their == null ? null : side(wrk, their, theirs, 1));
      }
    }
  }

  private static ChildProcess ours(Path folder, Path packs, int port)
      throws IOException, InterruptedException {
    List<String> command =
        ChildJvmCommand.command(
            TileTargetMain.class,
            Integer.toString(port),
            packs.toString(),
            folder.resolve("data").toString());
    return ChildProcess.listen("edge", port, command, folder.resolve("edge.log"), START_LIMIT);
  }

  private static ChildProcess theirs(Peer peer, Path folder, Path pack, int port)
      throws IOException, InterruptedException {
    List<String> command =
        List.of(
            peer.command(),
            "--file",
            pack.toString(),
            "--port",
            Integer.toString(port),
            "--bind",
            "127.0.0.1",
            "--silent");
    return ChildProcess.listen(
        peer.name(), port, command, folder.resolve("tileserver.log"), START_LIMIT);
  }

  /** Its releases name a pack differently, so it is asked where its tiles are. */
  private static URI theirTile(int port) throws IOException, InterruptedException {
    try (var client = HttpClient.newHttpClient()) {
      URI list = URI.create("http://127.0.0.1:%d/data.json".formatted(port));
      Matcher tiles = TILES.matcher(new String(body(client, list), StandardCharsets.UTF_8));
      if (!tiles.find()) {
        throw new IOException("the peer names no tiles at " + list);
      }
      return URI.create(tiles.group(1).replace("{z}/{x}/{y}", TILE));
    }
  }

  private static HttpSide side(LoadGenerator wrk, URI tile, ChildProcess server, int seconds) {
    return new HttpSide(wrk, new Load(tile, CONNECTIONS, 1, seconds, GZIP), server::cpuTime);
  }

  private static void measure(
      BenchRun run, Peer peer, LoadGenerator wrk, HttpSide ours, @Nullable HttpSide theirs)
      throws IOException, InterruptedException {
    for (int load = 0; load < WARM_UP_LOADS; load++) {
      ours.measure();
    }
    int seconds = Math.toIntExact(run.sideTime().toSeconds());
    Rounds<HttpSide.Sample> rounds =
        run.interleave(
            "tiles / tileserver-gl-light",
            longer(wrk, ours, seconds),
            theirs == null ? null : longer(wrk, theirs, seconds));
    run.compare("tile-cpu", "tiles/cpu-s", peer, rounds, HttpSide.Sample::requestsPerCpuSecond);
    run.compare("tile-rate", "tiles/s", peer, rounds, HttpSide.Sample::requestsPerSecond);
  }

  private static HttpSide longer(LoadGenerator wrk, HttpSide side, int seconds) {
    return new HttpSide(
        wrk, new Load(side.load().target(), CONNECTIONS, 1, seconds, GZIP), side.serverCpu());
  }

  private static void requireSameTile(URI ours, @Nullable URI theirs)
      throws IOException, InterruptedException {
    try (var client = HttpClient.newHttpClient()) {
      byte[] our = tile(client, ours);
      if (theirs != null && !Arrays.equals(our, tile(client, theirs))) {
        throw new IOException("ours and the peer answer different tiles");
      }
    }
  }

  private static byte[] tile(HttpClient client, URI uri) throws IOException, InterruptedException {
    try (var plain = new GZIPInputStream(new ByteArrayInputStream(body(client, uri)))) {
      return plain.readAllBytes();
    }
  }

  /** A server may listen before it has read its pack; so it is asked until it answers. */
  private static byte[] body(HttpClient client, URI uri) throws IOException, InterruptedException {
    var request = HttpRequest.newBuilder(uri);
    if (uri.getPath().endsWith(".pbf")) {
      request.header("Accept-Encoding", "gzip");
    }
    HttpResponse<byte[]> answer = client.send(request.build(), BodyHandlers.ofByteArray());
    for (int tries = 0; answer.statusCode() != 200 && tries < TRIES_MAX; tries++) {
      answer = client.send(request.build(), BodyHandlers.ofByteArray());
    }
    if (answer.statusCode() != 200) {
      throw new IOException(uri + " answered " + answer.statusCode());
    }
    return answer.body();
  }
}
