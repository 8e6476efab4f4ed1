package dev.ron.client.bucket;

import dev.ron.client.StorageClient.Progress;
import dev.ron.http.Headers;
import java.io.IOException;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Copies what is under a prefix of one server to another one, verified, and goes on where it was
 * stopped.
 *
 * <p>The state is in the target: an object with the source's size and entity tag is done. Where the
 * tag will be another one, because the object goes over in other parts than it had, the source's
 * tag is kept in its metadata. An object appears at the target only after all of its bytes fitted
 * what the source promises.
 *
 * <p>Threading: used once; the listener hears from several threads.
 */
public final class BucketMirror {
  /** Where the source's tag is kept if the target has another one. */
  static final String SOURCE_TAG = "x-amz-meta-ron-source-etag";

  /** Parts of one object that lie in memory while they are sent. */
  private static final long MEMORY_BYTES = 32L << 20;

  /** Larger ones would not fit into memory; such an object is cut anew. */
  private static final long SOURCE_PART_BYTES_MAX = 64L << 20;

  private final BucketClient source;
  private final BucketClient target;
  private final BucketPath from;
  private final BucketPath to;

  /** Hears what becomes of each object. */
  public interface Listener {
    /** It was there already. */
    void left(String key);

    /** It is there now; {@code verified} names the hash that fitted, or {@code size}. */
    void copied(String key, long size, String verified);

    /**
     * It is not there, or in the state it was.
     *
     * @throws IOException to end it all
     */
    void failed(String key, Exception why) throws IOException;
  }

  public BucketMirror(BucketClient source, BucketPath from, BucketClient target, BucketPath to) {
    this.source = source;
    this.from = from;
    this.target = target;
    this.to = to;
  }

  /**
   * @param width objects at a time
   */
  public void run(int width, Listener listener) throws IOException, InterruptedException {
    var sources = new ListedObjects(source, from);
    var targets = new ListedObjects(target, to);
    var there = new @Nullable ListedObject[] {targets.next()};
    new ParallelWork(source.scope(), "mirror", width)
        .run(
            () -> {
              ListedObject object = sources.next();
              if (object == null) {
                return null;
              }
              String name = object.key().substring(from.key().length());
              ListedObject same = there[0];
              while (same != null && SyncPlan.KEY_ORDER.compare(targetName(same), name) < 0) {
                same = targets.next();
              }
              there[0] = same;
              boolean met = same != null && targetName(same).equals(name);
              return job(object, to.at(to.key() + name), met ? same : null, listener);
            });
  }

  private String targetName(ListedObject object) {
    return object.key().substring(to.key().length());
  }

  private ParallelWork.Job job(
      ListedObject object, BucketPath at, @Nullable ListedObject there, Listener listener) {
    return () -> {
      try {
        if (there != null && isDone(object, at, there)) {
          listener.left(object.key());
        } else {
          listener.copied(object.key(), object.size(), copy(from.at(object.key()), at));
        }
      } catch (IOException | IllegalArgumentException failed) {
        listener.failed(object.key(), failed);
      }
    };
  }

  private boolean isDone(ListedObject object, BucketPath at, ListedObject there)
      throws IOException, InterruptedException {
    if (object.size() != there.size()) {
      return false;
    }
    if (object.etag().equals(there.etag())) {
      return true;
    }
    return target
        .head(at)
        .map(head -> head.kept().first(SOURCE_TAG))
        .filter(object.etag()::equals)
        .isPresent();
  }

  private String copy(BucketPath object, BucketPath at) throws IOException, InterruptedException {
    var download = new ObjectDownload(source, object, Progress.NONE);
    try {
      ObjectHead head = download.head();
      long partBytes = partBytes(head, download.partBytes());
      Headers fields = head.kept().copy();
      fields.remove(SOURCE_TAG);
      if (!sameTag(head, download.partBytes(), partBytes)) {
        fields.add(SOURCE_TAG, head.etag());
      }
      if (head.tagCount() > 0) {
        fields.add("x-amz-tagging", BucketClient.tagging(source.tags(object)));
      }
      int inFlight = (int) Math.max(1, Math.min(4, MEMORY_BYTES / partBytes));
      var verdict = new String[] {""};
      new ObjectUpload(target, inFlight)
          .stream(
              download.stream(),
              at,
              fields,
              partBytes,
              Progress.NONE,
              () -> verdict[0] = verified(download.outcome()));
      return verdict[0];
    } finally {
      download.close();
    }
  }

  /** The parts of the source, so that the tag is the same; else parts that fit into memory. */
  private static long partBytes(ObjectHead head, OptionalLong sourceParts) {
    boolean usable =
        sourceParts.isPresent()
            && sourceParts.getAsLong() >= PartPlan.PART_BYTES_MIN
            && sourceParts.getAsLong() <= SOURCE_PART_BYTES_MAX;
    return usable
        ? sourceParts.getAsLong()
        : PartPlan.of(head.size(), PartPlan.STREAM_PART_BYTES).partBytes();
  }

  /** Whether the target will give the object the tag that it has. */
  private static boolean sameTag(ObjectHead head, OptionalLong sourceParts, long partBytes) {
    return switch (ContentCheck.kind(head, sourceParts)) {
      case WHOLE -> head.size() < partBytes;
      case OF_PARTS -> sourceParts.getAsLong() == partBytes && head.size() >= partBytes;
      case OPAQUE -> false;
    };
  }

  private static String verified(ContentCheck.Outcome outcome) throws IOException {
    return switch (outcome) {
      case ContentCheck.Outcome.Fits(String by) -> by;
      case ContentCheck.Outcome.SizeOnly() -> "size";
      case ContentCheck.Outcome.Differs(String detail) ->
          throw new IOException("the source sent other bytes than it promises: " + detail);
    };
  }
}
