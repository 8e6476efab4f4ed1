package dev.ron.storage.tier;

import dev.ron.blake3.Address;
import dev.ron.content.ContentFault;
import dev.ron.content.ContentStat;
import dev.ron.content.PutResult;
import dev.ron.kernel.Scope;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.kernel.tenant.TenantTable;
import dev.ron.storage.StorageFault;
import dev.ron.storage.object.FallbackReader;
import dev.ron.storage.object.ObjectReaderStream;
import dev.ron.storage.repair.RepairThrottle;
import io.prometheus.metrics.core.metrics.Counter;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Sends cold objects to the bucket while there is more on the disks than shall stay.
 *
 * <p>In the order of addresses, which says nothing about age: what was touched lately stays, and of
 * the rest one is as good as another. An object leaves the disks when the bucket has it; its bytes
 * go after the grace of a delete. After a start nothing goes before it is known what is read.
 *
 * <p>Threading: one step at a time.
 */
final class TierMover implements Task {
  private static final int PAGE = 64;

  private final Scope scope;
  private final TieredStore tier;
  private final TierConfig config;
  private final RepairThrottle pace;
  private final Counter moved;
  private final Counter movedBytes;
  private final Instant notBefore;
  private @Nullable Address cursor;

  TierMover(
      Scope scope,
      TieredStore tier,
      TierConfig config,
      RepairThrottle pace,
      Counter moved,
      Counter bytes) {
    this.scope = scope;
    this.tier = tier;
    this.config = config;
    this.pace = pace;
    this.moved = moved;
    this.movedBytes = bytes;
    this.notBefore = scope.time().now().plus(config.rest());
  }

  @Override
  public Next run(Instant now) throws InterruptedException {
    tier.touched().turn(now);
    if (now.isBefore(notBefore)) {
      return Next.at(earlier(notBefore, now));
    }
    long over = here() - config.keepBytes().bytes();
    if (over <= 0) {
      return Next.at(now.plus(config.period()));
    }
    List<ContentStat> page = tier.volumes().list(cursor, PAGE);
    cursor = page.size() < PAGE ? null : page.getLast().address();
    for (ContentStat each : page) {
      if (over > 0 && !tier.touched().has(each.address())) {
        Outcome outcome = move(each);
        if (outcome == Outcome.TROUBLE) {
          return Next.at(now.plus(config.period()));
        }
        over -= outcome == Outcome.MOVED ? each.sizeBytes() : 0;
      }
    }
    // Around once; whatever is left was touched lately.
    return cursor == null ? Next.at(now.plus(config.period())) : Next.again();
  }

  private Instant earlier(Instant one, Instant now) {
    Instant next = now.plus(config.period());
    return one.isBefore(next) ? one : next;
  }

  private long here() {
    return tier.volumes().all().stream()
        .mapToLong(volume -> volume.store().space().objectBytes())
        .sum();
  }

  private enum Outcome {
    MOVED,
    STAYS,
    TROUBLE
  }

  private Outcome move(ContentStat stat) throws InterruptedException {
    Address address = stat.address();
    if (!tier.claim(address)) {
      return Outcome.STAYS;
    }
    try (InputStream in =
        pace.paced(
            TenantTable.TIER,
            new ObjectReaderStream(new FallbackReader(tier.volumes(), address)),
            stat.sizeBytes())) {
      PutResult put = tier.bucket().put(address, in);
      if (put instanceof PutResult.Refused(ContentFault fault)) {
        scope.log().warn("tier", "object", address, "trouble", fault.detail());
        return Outcome.TROUBLE;
      }
      return leave(stat);
    } catch (IOException unreadable) {
      // Its repair's matter; the next one may be good.
      scope.log().warn("tier", "object", address, "trouble", String.valueOf(unreadable));
      return Outcome.STAYS;
    } finally {
      tier.letGo(address);
    }
  }

  private Outcome leave(ContentStat stat) throws InterruptedException {
    Optional<StorageFault> kept = tier.volumes().delete(stat.address());
    if (kept.isPresent()) {
      scope.log().warn("tier", "object", stat.address(), "trouble", kept.get().detail());
      return Outcome.TROUBLE;
    }
    moved.inc();
    movedBytes.inc(stat.sizeBytes());
    return Outcome.MOVED;
  }

  /** The doors are closed by now, so no request reads from the bucket. */
  @Override
  public void finish(Instant now) {
    tier.bucket().close();
  }
}
