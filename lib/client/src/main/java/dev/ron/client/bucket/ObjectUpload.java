package dev.ron.client.bucket;

import dev.ron.client.ServiceRefusal;
import dev.ron.client.StorageClient.Progress;
import dev.ron.http.Headers;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Objects on their way to a server: small ones in one request, others in parts, several at a time.
 *
 * <p>A multipart upload that fails is aborted, so that its parts cost nothing.
 *
 * <p>Threading: thread-safe; what belongs to one upload lies in its call.
 */
public final class ObjectUpload {
  private final BucketClient client;
  private final int width;

  /** What a server has now. */
  public record Stored(long size, String etag) {}

  /** Asked after the last byte was read and before the object appears. */
  @FunctionalInterface
  public interface Approval {
    Approval ALWAYS = () -> {};

    void require() throws IOException;
  }

  /**
   * @param width how many parts at a time
   */
  public ObjectUpload(BucketClient client, int width) {
    this.client = client;
    this.width = width;
  }

  /** Stores a file; one that changes meanwhile is refused. */
  public Stored file(Path file, BucketPath to, Headers fields, long partBytes, Progress progress)
      throws IOException, InterruptedException {
    long size = Files.size(file);
    PartPlan plan = PartPlan.of(size, partBytes);
    if (plan.count() == 1) {
      String etag = client.put(to, fields, ObjectPayload.of(file, 0, size));
      progress.at(size, size);
      return new Stored(size, etag);
    }
    var done = new AtomicLong();
    var source =
        new Parts() {
          private int index;

          @Override
          public @Nullable PartRead next() {
            if (index == plan.count()) {
              return null;
            }
            int part = index++;
            return () -> ObjectPayload.of(file, plan.start(part), plan.length(part));
          }
        };
    return parts(to, fields, source, n -> progress.at(done.addAndGet(n), size), Approval.ALWAYS);
  }

  /** Stores what a stream gives, whose length is not known; the parts lie in memory. */
  public Stored stream(
      InputStream in,
      BucketPath to,
      Headers fields,
      long partBytes,
      Progress progress,
      Approval approval)
      throws IOException, InterruptedException {
    int length = Math.toIntExact(partBytes);
    byte[] first = in.readNBytes(length);
    if (first.length < length) {
      approval.require();
      String etag = client.put(to, fields, ObjectPayload.of(first, first.length));
      progress.at(first.length, first.length);
      return new Stored(first.length, etag);
    }
    var done = new AtomicLong();
    var source =
        new Parts() {
          private byte @Nullable [] ahead = first;

          @Override
          public @Nullable PartRead next() throws IOException {
            byte[] bytes = ahead;
            ahead = null;
            byte[] part = bytes == null ? in.readNBytes(length) : bytes;
            return part.length == 0 ? null : () -> ObjectPayload.of(part, part.length);
          }
        };
    return parts(
        to,
        fields,
        source,
        n -> {
          long all = done.addAndGet(n);
          progress.at(all, all);
        },
        approval);
  }

  /** Parts in their order; null after the last. */
  private interface Parts {
    @Nullable PartRead next() throws IOException;
  }

  /** Reads and hashes one part, on the thread that sends it. */
  private interface PartRead {
    ObjectPayload payload() throws IOException;
  }

  /** Hears of bytes that the server has. */
  private interface Sent {
    void add(long bytes);
  }

  private record SentPart(String etag, ByteBuffer md5, long size) {}

  private Stored parts(BucketPath to, Headers fields, Parts source, Sent sent, Approval approval)
      throws IOException, InterruptedException {
    String upload = client.createUpload(to, fields);
    boolean whole = false;
    try {
      Map<Integer, SentPart> all = new ConcurrentHashMap<>();
      var number = new AtomicLong();
      new ParallelWork(client.scope(), "parts", width)
          .run(
              () -> {
                PartRead read = source.next();
                if (read == null) {
                  return null;
                }
                int part = Math.toIntExact(number.incrementAndGet());
                if (part > PartPlan.PARTS_MAX) {
                  throw new IOException(
                      "an object has at most %d parts: choose larger ones with --part-size"
                          .formatted(PartPlan.PARTS_MAX));
                }
                return () -> all.put(part, send(to, upload, part, read.payload(), sent));
              });
      approval.require();
      List<SentPart> ordered = IntStream.rangeClosed(1, all.size()).mapToObj(all::get).toList();
      String etag = complete(to, upload, ordered);
      whole = true;
      return new Stored(ordered.stream().mapToLong(SentPart::size).sum(), etag);
    } finally {
      if (!whole) {
        abort(to, upload);
      }
    }
  }

  private SentPart send(BucketPath to, String upload, int part, ObjectPayload body, Sent sent)
      throws IOException, InterruptedException {
    String etag = client.putPart(to, upload, part, body);
    sent.add(body.size());
    return new SentPart(etag, body.md5(), body.size());
  }

  /** An answer that was lost is asked for again, and the upload may be done by then. */
  private String complete(BucketPath to, String upload, List<SentPart> parts)
      throws IOException, InterruptedException {
    String expected = etag(parts);
    String etag;
    try {
      etag = client.complete(to, upload, parts.stream().map(SentPart::etag).toList());
    } catch (ServiceRefusal refused) {
      boolean there =
          refused.code().equals("NoSuchUpload")
              && client.head(to).filter(head -> head.etag().equals(expected)).isPresent();
      if (!there) {
        throw refused;
      }
      etag = expected;
    }
    boolean plain = parts.stream().allMatch(part -> ContentCheck.isMd5(part.etag()));
    if (plain && ContentCheck.partCount(etag) > 0 && !etag.equals(expected)) {
      throw new IOException(
          "the server put together other parts than were sent: entity tag %s, not %s"
              .formatted(etag, expected));
    }
    return etag;
  }

  private static String etag(List<SentPart> parts) {
    MessageDigest all = ObjectPayload.digest("MD5");
    parts.forEach(part -> all.update(part.md5().duplicate()));
    return HexFormat.of().formatHex(all.digest()) + "-" + parts.size();
  }

  private void abort(BucketPath to, String upload) throws InterruptedException {
    // The failure that led here is the one to tell; the parts that stay are the server's to expire.
    try {
      client.abort(to, upload);
    } catch (IOException stays) {
      client.scope().log().warn("upload-not-aborted", "upload", upload, "why", stays);
    }
  }
}
