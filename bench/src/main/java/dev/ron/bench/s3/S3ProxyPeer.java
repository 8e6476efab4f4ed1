package dev.ron.bench.s3;

import dev.ron.bench.process.ChildProcess;
import dev.ron.bench.process.Peer;
import dev.ron.bench.process.SearchPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * S3Proxy on a file system, which has one bucket. It answers a write without a flush.
 *
 * <p>Threading: stateless.
 */
public final class S3ProxyPeer {
  public static final String BUCKET = "bench";

  /** Requests are taken as they are. */
  public static final String UNSIGNED = "s3proxy.authorization=none\n";

  static final String IDENTITY = "local";
  static final String SECRET = "local-secret";

  /** Requests must be signed with the one pair. */
  static final String SIGNED =
      "s3proxy.authorization=aws-v4\ns3proxy.identity=%s\ns3proxy.credential=%s\n"
          .formatted(IDENTITY, SECRET);

  private static final Duration START_LIMIT = Duration.ofSeconds(60);

  private S3ProxyPeer() {}

  public static Peer find(SearchPath searchPath) {
    return Peer.fetched(searchPath, "s3proxy");
  }

  /**
   * @param signatures {@link #UNSIGNED} or {@link #SIGNED}
   */
  public static ChildProcess start(Peer peer, Path folder, int port, String signatures)
      throws IOException, InterruptedException {
    Path data = folder.resolve("s3proxy").toAbsolutePath();
    Files.createDirectories(data.resolve(BUCKET));
    Path config = folder.resolve("s3proxy.conf");
    Files.writeString(
        config,
        signatures
            + """
            s3proxy.endpoint=http://127.0.0.1:%d
            jclouds.provider=filesystem-nio2
            jclouds.filesystem.basedir=%s
            """
                .formatted(port, data));
    return ChildProcess.listen(
        peer.name(),
        port,
        List.of(peer.command(), "--properties", config.toString()),
        folder.resolve("s3proxy.log"),
        START_LIMIT);
  }
}
