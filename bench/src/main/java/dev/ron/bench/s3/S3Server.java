package dev.ron.bench.s3;

import dev.ron.bench.load.ClosedLoop;
import dev.ron.bench.load.LoopbackConnection;
import dev.ron.bench.process.ChildJvmCommand;
import dev.ron.bench.process.ChildProcess;
import dev.ron.bench.process.CpuTime;
import dev.ron.bench.process.Peer;
import dev.ron.sigv4.RequestSigner;
import dev.ron.sigv4.ServiceRules;
import dev.ron.sigv4.SignedRequest;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/**
 * A server of S3 that is up and running, and the key pair it wants: ours, or S3Proxy.
 *
 * <p>Threading: immutable; the process is thread-safe.
 */
record S3Server(ChildProcess process, int port, RequestSigner signer) implements AutoCloseable {
  static final String TENANT = "bench";
  private static final String REGION = "us-east-1";
  private static final Duration START_LIMIT = Duration.ofSeconds(60);
  private static final Duration PRESIGNED = Duration.ofHours(12);

  /** What a load did to a server. */
  record Sample(double perSecond, double perCpuSecond, double p50Millis, double p99Millis) {}

  /**
   * @param folder as {@link S3TargetMain} takes it; the same folder again has what it had
   */
  static S3Server ours(Path folder) throws IOException, InterruptedException {
    int port = ChildProcess.freePort();
    Files.createDirectories(folder);
    List<String> command =
        ChildJvmCommand.hashing(
            S3TargetMain.class, Integer.toString(port), folder.toAbsolutePath().toString(), TENANT);
    ChildProcess process =
        ChildProcess.listen("ours", port, command, folder.resolve("ours.log"), START_LIMIT);
    String[] pair = Files.readString(folder.resolve(S3TargetMain.PAIRS)).strip().split(" ", -1);
    return new S3Server(process, port, signer(pair[1], pair[2]));
  }

  static S3Server s3proxy(Peer peer, Path folder) throws IOException, InterruptedException {
    int port = ChildProcess.freePort();
    return new S3Server(
        S3ProxyPeer.start(peer, folder, port, S3ProxyPeer.SIGNED),
        port,
        signer(S3ProxyPeer.IDENTITY, S3ProxyPeer.SECRET));
  }

  static RequestSigner signer(String accessKeyId, String secret) {
    return new RequestSigner(ServiceRules.S3, accessKeyId, secret, Optional.empty(), REGION);
  }

  S3Line line() throws IOException {
    return new S3Line(new LoopbackConnection(port), signer, host());
  }

  /** An address that any program may read from, for the hours of a benchmark. */
  URI presigned(String path) {
    var get = new SignedRequest("GET", path, "", List.of(new SignedRequest.Header("host", host())));
    String query = signer.presign(get, PRESIGNED, Instant.now()).rawQuery();
    return URI.create("http://" + host() + path + "?" + query);
  }

  private String host() {
    return "127.0.0.1:" + port;
  }

  /**
   * So many workers for so long.
   *
   * @param operation answers how much it did, in the unit of the sample
   */
  Sample load(int workers, Duration time, Operation operation)
      throws IOException, InterruptedException {
    var lines = new ArrayList<S3Line>();
    try {
      for (int i = 0; i < workers; i++) {
        lines.add(line());
      }
      var done = new LongAdder();
      CpuTime before = process.cpuTime();
      ClosedLoop.Sample sample =
          ClosedLoop.run(
              lines,
              time,
              line -> {
                int did = operation.run(line);
                done.add(did);
                return did > 0;
              });
      CpuTime spent = process.cpuTime().minus(before);
      return new Sample(
          done.sum() / sample.seconds(),
          spent.rate((double) done.sum()),
          sample.p50Millis(),
          sample.p99Millis());
    } finally {
      for (S3Line line : lines) {
        line.close();
      }
    }
  }

  /** One request; 0 if there is nothing left to do. */
  interface Operation {
    int run(S3Line line) throws IOException;
  }

  @Override
  public void close() {
    process.close();
  }
}
