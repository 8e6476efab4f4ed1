package dev.ron.storage.upload;

import dev.ron.kernel.Scope;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;

/**
 * Drops uploads that were given up.
 *
 * <p>Threading: one step at a time.
 */
public final class UploadSweep implements Task {
  private static final int LOOKS_PER_EXPIRY = 16;
  private static final Duration PERIOD_MAX = Duration.ofMinutes(10);

  private final Scope scope;
  private final Uploads uploads;
  private final Duration expire;

  public UploadSweep(Scope scope, Uploads uploads, Duration expire) {
    this.scope = scope;
    this.uploads = uploads;
    this.expire = expire;
  }

  @Override
  public Next run(Instant now) {
    try {
      int dropped = uploads.expire(scope.time().wall().minus(expire));
      if (dropped > 0) {
        scope.log().info("uploads-expired", "count", dropped);
      }
    } catch (IOException e) {
      scope.log().warn("uploads-expiry", "trouble", String.valueOf(e.getMessage()));
    }
    Duration part = expire.dividedBy(LOOKS_PER_EXPIRY);
    return Next.at(now.plus(part.compareTo(PERIOD_MAX) < 0 ? part : PERIOD_MAX));
  }

  /** The doors are closed by now, so no request writes a part. */
  @Override
  public void finish(Instant now) throws IOException {
    uploads.close();
  }
}
