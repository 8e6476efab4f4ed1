package dev.ron.node.s3;

import dev.ron.client.bucket.BucketClient;
import dev.ron.client.bucket.BucketEndpoint;
import dev.ron.client.bucket.BucketMirror;
import dev.ron.client.bucket.BucketPath;
import dev.ron.http.Refusal;
import dev.ron.http.client.ClientFault;
import dev.ron.node.cli.CommandClient;
import dev.ron.node.cli.ProgressBar;
import dev.ron.node.profile.TerminalGuard;
import dev.ron.node.profile.TextTable;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Brings a bucket from any S3 to this one.
 *
 * <p>Threading: owned by the thread that runs the command; the counters are atomic.
 */
@Command(
    name = "mirror",
    description =
        "Copy a bucket or prefix of another S3, verified, with metadata and tags; started again,"
            + " it goes on where it was stopped.")
final class S3MirrorCommand implements Callable<Integer>, BucketMirror.Listener {
  private static final int FAILURES_MAX = 20;
  private static final String SECRET = "RON_FROM_SECRET_KEY";

  @Mixin private final S3Options s3 = new S3Options();

  @Parameters(index = "0", paramLabel = "s3://OTHER/PREFIX")
  private String from = "";

  @Parameters(index = "1", paramLabel = "s3://MINE/PREFIX")
  private String to = "";

  @Option(names = "--from-endpoint", required = true, description = "The server to copy from.")
  private String fromEndpoint = "";

  @Option(names = "--from-access-key", description = "Its key pair; none for a public bucket.")
  private @Nullable String fromAccessKey;

  @Option(
      names = "--from-secret-key",
      description = "Its secret; " + SECRET + " if not given, which other users cannot see.")
  private @Nullable String fromSecretKey;

  @Option(names = "--from-session-token", description = "What goes with a temporary key pair.")
  private @Nullable String fromSessionToken;

  @Option(
      names = "--from-region",
      defaultValue = BucketEndpoint.REGION,
      description = "Its region; ${DEFAULT-VALUE} if not given.")
  private String fromRegion = BucketEndpoint.REGION;

  @Option(
      names = "--from-ca",
      paramLabel = "FILE",
      description = "PEM file of the only certificates that it may have.")
  private @Nullable Path fromCa;

  @Option(
      names = "--parallel",
      defaultValue = "4",
      description = "Objects at a time; ${DEFAULT-VALUE}.")
  private int width = 4;

  private final AtomicLong copied = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong left = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();

  @Override
  public Integer call() throws IOException, InterruptedException {
    BucketPath source = BucketPath.parse(from);
    BucketPath target = BucketPath.parse(to);
    BucketEndpoint origin = origin(System.getenv());
    try (var theirs = new BucketClient(CommandClient.scope(), origin, Optional.ofNullable(fromCa));
        BucketClient mine = s3.client()) {
      if (!mine.hasBucket(target.bucket())) {
        mine.createBucket(target.bucket());
      }
      new BucketMirror(theirs, source, mine, target).run(width, this);
    } catch (Refusal refused) {
      throw isUnreached(refused, origin)
          ? new IOException(
              refused.fault().detail()
                  + ": it is named by --from-endpoint, and its certificate, if it has one of its"
                  + " own, by --from-ca",
              refused)
          : refused;
    } finally {
      if (isDrawn() && copied.get() + left.get() > 0) {
        System.err.println();
      }
    }
    summary();
    return failed.get() == 0 ? 0 : 1;
  }

  /** Of two servers, which one. */
  private static boolean isUnreached(Refusal refused, BucketEndpoint server) {
    return refused.fault() instanceof ClientFault.NoConnection absent
        && absent.origin().equals(server.origin());
  }

  private BucketEndpoint origin(Map<String, String> environment) {
    String id = fromAccessKey;
    if (id == null) {
      return new BucketEndpoint(URI.create(fromEndpoint), Optional.empty());
    }
    String secret = fromSecretKey == null ? environment.get(SECRET) : fromSecretKey;
    if (secret == null || secret.isEmpty()) {
      throw new IllegalArgumentException("--from-access-key needs --from-secret-key or " + SECRET);
    }
    return BucketEndpoint.signed(
        URI.create(fromEndpoint), id, secret, Optional.ofNullable(fromSessionToken), fromRegion);
  }

  /** One line that is drawn over itself, for a person who watches. */
  private boolean isDrawn() {
    return !s3.json() && ProgressBar.watched();
  }

  @Override
  public void left(String key) {
    left.incrementAndGet();
    draw();
  }

  @Override
  public void copied(String key, long size, String verified) {
    copied.incrementAndGet();
    bytes.addAndGet(size);
    draw();
    if (s3.json()) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("key", key);
      fields.put("size", size);
      fields.put("verified", verified);
      System.out.println(CommandClient.json(fields));
    } else if (!isDrawn()) {
      System.out.println("copied %s (%s)".formatted(TextTable.plain(key), verified));
    }
  }

  @Override
  public void failed(String key, Exception why) throws IOException {
    System.err.println("ron: " + TextTable.plain(key + ": " + why.getMessage()));
    if (failed.incrementAndGet() >= FAILURES_MAX) {
      throw new IOException(FAILURES_MAX + " objects failed, the rest was not tried", why);
    }
  }

  private void draw() {
    if (isDrawn()) {
      TerminalGuard.raw(System.err).print("\r" + words());
    }
  }

  private String words() {
    return "%d copied, %s; %d were there; %d failed"
        .formatted(copied.get(), ProgressBar.size(bytes.get()), left.get(), failed.get());
  }

  private void summary() {
    if (!s3.json()) {
      System.out.println(words());
      return;
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("copied", copied.get());
    fields.put("bytes", bytes.get());
    fields.put("there", left.get());
    fields.put("failed", failed.get());
    System.out.println(CommandClient.json(fields));
  }
}
