package dev.ron.storage.repair;

import dev.ron.blake3.Address;
import dev.ron.content.ContentStat;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.storage.StorageMetrics;
import dev.ron.storage.object.Volume;
import dev.ron.storage.object.Volumes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Verifies everything at rest, volume by volume, once in a period and within the repair budget.
 *
 * <p>It goes at the pace that ends the cycle with the period, so that it is hardly felt; where a
 * day's bytes do not fit a day's budget, the cycle takes longer.
 *
 * <p>Threading: one step at a time; any thread reads the progress.
 */
public final class Scrubber implements Task {
  /** A slower pace would spare readers nothing more. */
  private static final long LEAST_BYTES_PER_SECOND = 1 << 20;

  /** Looked up together: a look costs a pass over a part of the index. */
  private static final int PAGE = 256;

  /** So much sooner than at the period's end: what is put meanwhile is scrubbed too. */
  private static final double HEADROOM = 1.25;

  private final Volumes volumes;
  private final RepairThrottle pace;
  private final Duration period;
  private final StorageMetrics metrics;
  private final AtomicReference<Progress> progress;
  private int volume;
  private @Nullable Address after;
  private final ArrayDeque<ContentStat> page = new ArrayDeque<>();
  private double bytesPerSecond = LEAST_BYTES_PER_SECOND;
  private @Nullable Scrub scrub;
  private @Nullable Address scrubbing;
  private @Nullable Instant cycleBegan;
  private Instant notBefore = Instant.MIN;

  /** How far the cycle is. */
  public record Progress(long cycle, long objects, long bytes, long bad) {
    public static final Progress NONE = new Progress(0, 0, 0, 0);
  }

  public Scrubber(
      Volumes volumes,
      RepairThrottle pace,
      Duration period,
      StorageMetrics metrics,
      AtomicReference<Progress> progress) {
    this.volumes = volumes;
    this.pace = pace;
    this.period = period;
    this.metrics = metrics;
    this.progress = progress;
  }

  @Override
  public Next run(Instant now) {
    if (cycleBegan == null) {
      cycleBegan = now;
    }
    if (now.isBefore(notBefore)) {
      return Next.at(notBefore);
    }
    Scrub current = scrub;
    if (current == null) {
      return open(now);
    }
    Duration wait = pace.waitFor(RepairThrottle.STEP_BYTES);
    if (!wait.isZero()) {
      return Next.at(now.plus(wait));
    }
    switch (current.step()) {
      case Scrub.Verdict.More(int bytes) -> {
        metrics.scrubbedBytes().inc(bytes);
        progress.updateAndGet(
            p -> new Progress(p.cycle(), p.objects(), p.bytes() + bytes, p.bad()));
        notBefore = now.plus(rest(bytes));
      }
      case Scrub.Verdict.Bad(String reason) -> {
        bad(reason);
        close();
      }
      case Scrub.Verdict.Good _ -> {
        good();
        close();
      }
      case Scrub.Verdict.Unknown _ -> close();
    }
    return Next.again();
  }

  private void good() {
    Address address = scrubbing;
    if (address != null) {
      volumes.damage().sound(address, volumes.all().get(volume));
    }
  }

  private void bad(String reason) {
    Address address = scrubbing;
    if (address != null) {
      progress.updateAndGet(p -> new Progress(p.cycle(), p.objects(), p.bytes(), p.bad() + 1));
      volumes.damage().found(address, volumes.all().get(volume), reason);
    }
  }

  /** Goes to the next object, the next volume, the next cycle. */
  private Next open(Instant now) {
    if (volume == volumes.all().size()) {
      volume = 0;
      Instant next = cycleBegan == null ? now : cycleBegan.plus(period);
      cycleBegan = null;
      notBefore = next;
      progress.updateAndGet(p -> new Progress(p.cycle() + 1, 0, 0, p.bad()));
      return Next.at(next);
    }
    Volume each = volumes.all().get(volume);
    if (page.isEmpty() && each.home().takesReads()) {
      page.addAll(each.store().list(after, PAGE));
      bytesPerSecond = neededRate();
    }
    ContentStat next = page.poll();
    if (next == null) {
      volume++;
      after = null;
      return Next.again();
    }
    after = next.address();
    scrubbing = after;
    scrub = Scrub.open(each, after);
    progress.updateAndGet(p -> new Progress(p.cycle(), p.objects() + 1, p.bytes(), p.bad()));
    return Next.again();
  }

  /** What ends the cycle with the period. */
  private double neededRate() {
    long total = volumes.all().stream().mapToLong(s -> s.store().space().objectBytes()).sum();
    return Math.max(LEAST_BYTES_PER_SECOND, HEADROOM * total / period.toSeconds());
  }

  /** How long these bytes should have taken, for the cycle to fill the period. */
  private Duration rest(int bytes) {
    return Duration.ofNanos((long) (bytes / bytesPerSecond * 1e9));
  }

  private void close() {
    if (scrub != null) {
      scrub.close();
      scrub = null;
    }
  }

  @Override
  public void finish(Instant now) {
    close();
  }
}
