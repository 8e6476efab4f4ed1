package dev.ron.bench.queue;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.bench.load.LoopbackConnection;
import dev.ron.bench.process.ChildProcess;
import dev.ron.bench.process.CpuTime;
import dev.ron.bench.process.Peer;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * ElasticMQ with its storage of messages, in a JVM of its own, spoken to by SQS's JSON protocol.
 *
 * <p>It keeps messages in H2, which writes a commit to its file a little after it has answered.
 * What that is worth when the process is killed is what {@code PeerCrashTest} shows.
 *
 * <p>Threading: immutable; the process is thread-safe.
 */
public final class ElasticMqPeer implements QueueServer {
  private static final Duration START_LIMIT = Duration.ofSeconds(60);
  private static final String MAIN = "org.elasticmq.server.Main";

  /** Written by the build: the jars, each below the local repository. */
  private static final String CLASS_PATH = "elasticmq.classpath";

  private static final String REPOSITORY = "@repository@";

  /** Names a jar with everything in it, where there is no build. */
  private static final String JAR_VARIABLE = "RON_BENCH_ELASTICMQ";

  private final ChildProcess process;
  private final int port;

  private ElasticMqPeer(ChildProcess process, int port) {
    this.process = process;
    this.port = port;
  }

  public static Peer find() {
    String path = classPath();
    Path first = path == null ? null : Path.of(path.split(File.pathSeparator, 2)[0]);
    return new Peer(
        "elasticmq-server",
        "name the jar elasticmq-server-all in the variable " + JAR_VARIABLE,
        null,
        first);
  }

  private static @Nullable String classPath() {
    String named = System.getenv(JAR_VARIABLE);
    if (named != null) {
      return named;
    }
    try (InputStream built = ElasticMqPeer.class.getResourceAsStream(CLASS_PATH)) {
      if (built == null) {
        return null;
      }
      String repository = Path.of(System.getProperty("user.home"), ".m2", "repository").toString();
      String path = new String(built.readAllBytes(), UTF_8).strip();
      String found = path.replace(REPOSITORY, repository);
      boolean whole =
          Arrays.stream(found.split(File.pathSeparator, -1))
              .allMatch(each -> Files.exists(Path.of(each)));
      return whole ? found : null;
    } catch (IOException unreadable) {
      return null;
    }
  }

  /** The same folder again has what it had. */
  public static ElasticMqPeer start(Peer peer, Path folder)
      throws IOException, InterruptedException {
    String path = classPath();
    if (path == null) {
      throw new IOException(peer.absence());
    }
    int port = ChildProcess.freePort();
    Path home = Files.createDirectories(folder.resolve("elasticmq"));
    Path config = home.resolve("elasticmq.conf");
    Files.writeString(
        config,
        """
        include classpath("application.conf")
        node-address { protocol = http, host = "127.0.0.1", port = %1$d, context-path = "" }
        rest-sqs { enabled = true, bind-port = %1$d, bind-hostname = "127.0.0.1", sqs-limits = relaxed }
        rest-stats { enabled = false }
        generate-node-address = false
        queues-storage { enabled = false }
        messages-storage {
          enabled = true, driver-class-name = "org.h2.Driver", uri = "jdbc:h2:%2$s"
          username = "sa", password = "", prune-data-on-init = false
        }
        queues { bench { defaultVisibilityTimeout = 30 seconds, delay = 0 seconds, receiveMessageWait = 0 seconds } }
        """
            .formatted(port, home.resolve("messages")));
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx512m",
            "-Dconfig.file=" + config,
            "-cp",
            // What it shares with us, such as slf4j, the build has put on our own class path only.
            path + File.pathSeparator + System.getProperty("java.class.path"),
            MAIN);
    return new ElasticMqPeer(
        ChildProcess.listen(
            peer.name(), port, command, folder.resolve("elasticmq.log"), START_LIMIT),
        port);
  }

  @Override
  public SqsLine line() throws IOException {
    return new SqsLine(new LoopbackConnection(port));
  }

  @Override
  public CpuTime cpuTime() {
    return process.cpuTime();
  }

  int port() {
    return port;
  }

  public long pid() {
    return process.pid();
  }

  @Override
  public void close() {
    process.close();
  }
}
