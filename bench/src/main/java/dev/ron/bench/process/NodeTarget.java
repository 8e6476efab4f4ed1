package dev.ron.bench.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.capability.KeyPair;
import dev.ron.capability.KeyRingFile;
import dev.ron.capability.Macaroon;
import dev.ron.capability.TokenMint;
import dev.ron.capability.caveat.Caveat;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A whole node in its own process, as its users start it: by the launcher, with a configuration.
 *
 * <p>Threading: owned by the benchmark's thread.
 */
public final class NodeTarget implements AutoCloseable {
  /** The launcher says where it is, since a node is not among the jars of the benchmarks. */
  private static final String LAUNCHER = "ron.launcher";

  private static final Duration START_LIMIT = Duration.ofMinutes(3);
  private static final Duration REQUEST_LIMIT = Duration.ofMinutes(1);
  private static final long LOOK_MILLIS = 20;

  private final ChildProcess process;
  private final Path data;
  private final String ready;
  private final HttpClient http = HttpClient.newHttpClient();

  private NodeTarget(ChildProcess process, Path data, String ready) {
    this.process = process;
    this.data = data;
    this.ready = ready;
  }

  /** Empty if this program was not started by the launcher. */
  public static Optional<Path> launcher() {
    return Optional.ofNullable(System.getProperty(LAUNCHER)).map(Path::of).filter(Files::exists);
  }

  public static NodeTarget start(Path launcher, Path folder, String config)
      throws IOException, InterruptedException {
    Path file = Files.writeString(folder.resolve("ron.toml"), config);
    Path data = folder.resolve("data");
    Path ready = folder.resolve("ready.json");
    List<String> command =
        List.of(
            launcher.toString(),
            "up",
            "--config=" + file,
            "--data=" + data,
            "--base-port=0",
            "--ready-file=" + ready);
    ChildProcess process = ChildProcess.start("node", command, folder.resolve("node.log"));
    try {
      long deadline = System.nanoTime() + START_LIMIT.toNanos();
      while (!Files.exists(ready)) {
        if (!ProcessHandle.of(process.pid()).map(ProcessHandle::isAlive).orElse(false)) {
          throw new IOException("the node has ended\n" + process.output());
        }
        if (System.nanoTime() - deadline > 0) {
          throw new IOException("the node is not ready\n" + process.output());
        }
        var _ = new CountDownLatch(1).await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      }
      return new NodeTarget(process, data, Files.readString(ready));
    } catch (IOException | InterruptedException failed) {
      process.close();
      throw failed;
    }
  }

  public URI door(String service) throws IOException {
    Matcher found =
        Pattern.compile("\"%s\":\\{\"url\":\"([^\"]+)\"".formatted(service)).matcher(ready);
    if (!found.find()) {
      throw new IOException("the node has no door " + service + ": " + ready);
    }
    return URI.create(found.group(1));
  }

  /** CPU time of the whole node so far; only to be asked while it runs. */
  public CpuTime cpuTime() {
    return process.cpuTime();
  }

  /** What its first start gave the operator, who may do everything. */
  public String operator() throws IOException {
    Matcher found = Pattern.compile("\"capability\":\"([^\"]+)\"").matcher(ready);
    if (!found.find()) {
      throw new IOException("the node has no capability: " + ready);
    }
    return found.group(1);
  }

  private Macaroon capability(String tenant) throws IOException {
    return new TokenMint(KeyRingFile.read(data.resolve("keys/keyring")), new SecureRandom())
        .mint(List.of(new Caveat.Tenant(tenant)));
  }

  public String token(String tenant) throws IOException {
    return capability(tenant).token();
  }

  public KeyPair pair(String tenant) throws IOException {
    return KeyPair.of(capability(tenant));
  }

  /** One request of a tenant in preparation of many; what it was answered. */
  public String ask(String service, String line, String tenant, String type, String body)
      throws IOException, InterruptedException {
    String[] words = line.split(" ", 2);
    HttpRequest request =
        HttpRequest.newBuilder(door(service).resolve(words[1]))
            .timeout(REQUEST_LIMIT)
            .header("Authorization", "Bearer " + token(tenant))
            .header("Content-Type", type)
            .header("Prefer", "wait=60")
            .header("X-Amz-Target", "AmazonSQS.CreateQueue")
            .method(words[0], HttpRequest.BodyPublishers.ofString(body, UTF_8))
            .build();
    HttpResponse<String> told = http.send(request, HttpResponse.BodyHandlers.ofString());
    if (told.statusCode() / 100 != 2) {
      throw new IOException(line + " was answered " + told.statusCode() + ": " + told.body());
    }
    return told.body();
  }

  @Override
  public void close() {
    http.close();
    process.close();
  }
}
