package dev.ron.node;

import dev.ron.capability.Revocations;
import dev.ron.capability.Trust;
import dev.ron.capability.Verifier;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.channel.Overflow;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads keys, short ids and revocations again when their files change, so that a revoked token and
 * an ended key are refused by every service within seconds and without a restart.
 *
 * <p>While the node runs, what was revoked stays so: a file that was cut short would bring tokens
 * back. Files that cannot be read leave what is believed: forgetting a revocation is worse than
 * missing a new one, and so is refusing every request. The node says so in its log and is not ready
 * until they can be read.
 *
 * <p>Threading: steps from one thread at a time; {@link #now} from any.
 */
final class TrustRefresh implements Task {
  /** With the time until streams look, a revocation holds everywhere within five seconds. */
  private static final Duration EVERY = Duration.ofSeconds(1);

  private final Scope scope;
  private final Path data;
  private final Verifier verifier;
  private final Channel<Boolean> hangups;
  private @Nullable List<Mark> applied;
  private boolean hadRevocations;
  private Revocations believed = Revocations.NONE;
  private volatile String problem = "";

  /** Which content a file has; a change of any part is another content. */
  private record Mark(Map<String, Object> attributes) {
    static Mark of(Path file) throws IOException {
      try {
        return new Mark(Files.readAttributes(file, "unix:ino,size,ctime,lastModifiedTime"));
      } catch (NoSuchFileException _) {
        return new Mark(Map.of());
      }
    }

    boolean isThere() {
      return !attributes.isEmpty();
    }
  }

  TrustRefresh(Scope scope, Path data, Verifier verifier) {
    this.scope = scope;
    this.data = data;
    this.verifier = verifier;
    this.hangups = Channel.bounded(scope, "trust", 1, Overflow.DROP_OLDEST);
    scope
        .readiness()
        .derived("trust", () -> problem.isEmpty() ? Optional.empty() : Optional.of(problem));
  }

  /** Reads at once, changed or not. */
  void now() {
    hangups.trySend(true);
  }

  @Override
  public Next run(Instant now) {
    boolean asked = hangups.tryReceive() != null;
    try {
      // Marked before it is read: what changes in between is read again.
      List<Mark> marks =
          List.of(
              Mark.of(NodeKeys.ring(data)),
              Mark.of(NodeKeys.registeredFile(data)),
              Mark.of(NodeKeys.revocations(data)));
      if (asked || !problem.isEmpty() || !marks.equals(applied)) {
        apply(NodeKeys.open(data), marks);
      }
    } catch (IOException | IllegalArgumentException unreadable) {
      failed(String.valueOf(unreadable.getMessage()));
    }
    return Next.await(hangups, now.plus(EVERY));
  }

  private void apply(NodeKeys fresh, List<Mark> marks) throws IOException {
    if (hadRevocations && !marks.getLast().isThere()) {
      throw new IOException(
          NodeKeys.revocations(data)
              + " is gone; what it held stays revoked until a restart: put it back");
    }
    boolean whole = fresh.revocations().containsAll(believed);
    believed = believed.and(fresh.revocations());
    verifier.trust(_ -> new Trust(fresh.ring(), believed, fresh.registered()));
    if (applied != null) {
      scope
          .log()
          .info(
              "trust-read",
              "active_key",
              fresh.ring().active().id(),
              "retired_keys",
              fresh.ring().retired().size(),
              "revoked",
              believed.size());
    }
    applied = marks;
    hadRevocations = marks.getLast().isThere();
    if (!whole) {
      throw new IOException(
          NodeKeys.revocations(data)
              + " has lost some that it held; they stay revoked until a restart: put them back");
    }
    problem = "";
  }

  private void failed(String why) {
    if (!why.equals(problem)) {
      scope.log().warn("trust-unreadable", "why", why);
    }
    problem = why;
  }
}
