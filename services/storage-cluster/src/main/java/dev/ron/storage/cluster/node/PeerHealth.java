package dev.ron.storage.cluster.node;

import dev.ron.kernel.time.Time;
import dev.ron.storage.cluster.core.Presence;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * How another node is, from what it last said and whether it answers.
 *
 * <p>Threading: thread-safe; each thing known is a volatile that the next answer betters.
 */
final class PeerHealth {
  /** A node that repairs slowly asks about this often. */
  private static final Duration LEFT = Duration.ofSeconds(2);

  private final Time time;
  private volatile Instant heard;
  private volatile boolean failing;
  private volatile boolean takesWrites = true;
  private volatile Predicate<String> knows = _ -> false;
  private volatile Left left = new Left(1, Instant.MIN);

  private record Left(double share, Instant until) {}

  PeerHealth(Time time) {
    this.time = time;
    this.heard = time.now();
  }

  Presence presence(Duration grace) {
    Presence presence = Presence.of(heard, time.now(), grace);
    return presence == Presence.HERE && failing ? Presence.AWAY : presence;
  }

  boolean takesWrites() {
    return takesWrites;
  }

  /** Whether that node is on its list; not before it was heard. */
  boolean knows(String node) {
    return knows.test(node);
  }

  void said(PeerMessages.Status status) {
    takesWrites = status.takesWrites();
    List<String> listed = status.knows();
    knows = listed == null ? _ -> true : Set.copyOf(listed)::contains;
    heard = time.now();
    failing = false;
  }

  void silent() {
    failing = true;
  }

  /** Notes that it does not answer, so that the next request does not wait for it too. */
  IOException failed(IOException trouble) {
    boolean cancelled =
        trouble instanceof InterruptedIOException || Thread.currentThread().isInterrupted();
    if (!cancelled && !(trouble instanceof PeerClient.RefusedException)) {
      failing = true;
    }
    return trouble;
  }

  /** How much of a repair rate its readers leave, 0 to 1; 1 if it was not asked lately. */
  double paceShare() {
    Left now = left;
    return time.now().isBefore(now.until()) ? now.share() : 1;
  }

  void leaves(@Nullable String share) {
    if (share != null) {
      try {
        left = new Left(Math.clamp(Double.parseDouble(share), 0, 1), time.now().plus(LEFT));
      } catch (NumberFormatException _) {
        // as good as nothing said
      }
    }
  }
}
