package dev.ron.storage.api;

import dev.ron.blake3.Address;
import dev.ron.content.ContentStat;
import dev.ron.content.Space;
import dev.ron.http.json.Json;
import dev.ron.storage.core.PartLedger;
import dev.ron.storage.object.Volume;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The answers in JSON, one record for each.
 *
 * <p>Threading: immutable.
 */
public final class StorageJson {
  private static final int CHARS_MAX = 1 << 16;

  /** Reads and writes every body of the storage. */
  public static final Json JSON = Json.strict(CHARS_MAX);

  private StorageJson() {}

  /** An object. */
  public record ObjectView(String address, long size) {
    public static ObjectView of(Address address, long size) {
      return new ObjectView(address.toString(), size);
    }
  }

  /** A page of objects; {@code next} is where the next page goes on. */
  public record Page(List<ObjectView> objects, @Nullable String next) {
    public static Page of(List<ContentStat> found, int max) {
      return new Page(
          found.stream().map(stat -> ObjectView.of(stat.address(), stat.sizeBytes())).toList(),
          found.size() < max ? null : found.getLast().address().toString());
    }
  }

  /** An upload; {@code parts} are runs, both ends included. */
  public record Upload(String upload, List<List<Integer>> parts, long size) {
    public static Upload of(String id, List<PartLedger.Run> runs, long size) {
      return new Upload(
          id, runs.stream().map(run -> List.of(run.first(), run.last())).toList(), size);
    }
  }

  /** A part that is durable. */
  public record Part(int part, int size) {}

  /** A home and what it can be asked for. */
  public record HomeView(
      String id,
      String label,
      String serves,
      @Nullable String why,
      long objects,
      long bytes,
      long freeBytes) {
    public static HomeView of(Volume shelf) {
      Space space = shelf.store().space();
      Volume.Condition now = shelf.condition();
      return new HomeView(
          shelf.id(),
          shelf.label(),
          now.service().name().toLowerCase(Locale.ROOT).replace('_', '-'),
          now.why().isEmpty() ? null : now.why(),
          space.objects(),
          space.objectBytes(),
          space.freeBytes());
    }
  }

  /**
   * Where repair stands.
   *
   * @param cluster what a cluster tells of its nodes; null where there is one machine
   */
  public record RepairView(
      Plans plans,
      Budget budget,
      RoundView lastRound,
      @Nullable Long etaSeconds,
      ScrubView scrub,
      Damaged damaged,
      List<HomeView> homes,
      @Nullable Record cluster) {}

  /** What is queued and under way. */
  public record Plans(int all, int urgentWaiting, int ordinaryWaiting, long bytesLeft) {}

  /** How fast repair goes now, and how fast it may. */
  public record Budget(long bytesPerSecond, long fullBytesPerSecond, long movedBytes) {}

  /** What the last comparison found. */
  public record RoundView(
      long number, long objects, long tooFewCopies, long unrepairable, int copiesLeast) {}

  /** How far the scrubber is. */
  public record ScrubView(long cycle, long objects, long bytes, long bad) {}

  /** How many copies are bad, and some of them by name. */
  public record Damaged(long objects, List<String> some) {}
}
