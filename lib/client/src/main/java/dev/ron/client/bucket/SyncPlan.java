package dev.ron.client.bucket;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;

/**
 * What a synchronization does about one name, from what both sides say of it.
 *
 * <p>Threading: stateless.
 */
public final class SyncPlan {
  /** The order in which a server lists keys. */
  public static final Comparator<String> KEY_ORDER =
      (a, b) -> Arrays.compareUnsigned(a.getBytes(UTF_8), b.getBytes(UTF_8));

  private SyncPlan() {}

  /**
   * One side of a name.
   *
   * @param etag empty for a file
   */
  public record Side(long size, String etag, Instant modified) {
    public static Side of(ListedObject object) {
      return new Side(object.size(), object.etag(), object.modified());
    }

    public static Side file(long size, Instant modified) {
      return new Side(size, "", modified);
    }
  }

  /** What to do. */
  public enum Step {
    /** They are the same. */
    LEAVE,
    COPY,
    /** The file's MD5 decides: the size is the same, the time says nothing. */
    COMPARE
  }

  /**
   * Objects on both sides are the same if their entity tags are; a file is compared by its MD5
   * where the object has one. Where there is no hash to compare, the newer source counts.
   */
  public static Step decide(Side source, Side target) {
    if (source.size() != target.size()) {
      return Step.COPY;
    }
    boolean objects = !source.etag().isEmpty() && !target.etag().isEmpty();
    if (objects && source.etag().equals(target.etag())) {
      return Step.LEAVE;
    }
    boolean hashed = ContentCheck.isMd5(source.etag()) || ContentCheck.isMd5(target.etag());
    if (objects && ContentCheck.isMd5(source.etag()) && ContentCheck.isMd5(target.etag())) {
      return Step.COPY;
    }
    if (!source.modified().isAfter(target.modified())) {
      return Step.LEAVE;
    }
    return hashed && !objects ? Step.COMPARE : Step.COPY;
  }
}
