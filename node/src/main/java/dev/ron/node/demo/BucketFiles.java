package dev.ron.node.demo;

import dev.ron.client.bucket.BucketClient;
import dev.ron.client.bucket.BucketPath;
import dev.ron.client.bucket.ListedObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/** Files go into a bucket as with any S3, the node is killed, and every byte is compared. */
final class BucketFiles implements Chapter {
  private static final String BUCKET = "demo-photos";
  private static final int FILES = 12;
  private static final int SMALL_BYTES = 2_000;

  /** More than a row and more than one block. */
  private static final int LARGE_BYTES = 1_500_000;

  @Override
  public String title() {
    return "Keep files in a bucket";
  }

  @Override
  public String watch() {
    return "Buckets on the dashboard: " + BUCKET;
  }

  @Override
  public ChapterResult play(DemoNode node, Narrator say) throws Exception {
    List<byte[]> files = files();
    try (BucketClient bucket = node.bucket()) {
      bucket.createBucket(BUCKET);
      for (int i = 0; i < FILES; i++) {
        bucket.put(path(i), files.get(i));
      }
      bucket.delete(path(0));
    }
    say.line("  %d files put with our own client, one deleted again; then kill -9", FILES);
    node.kill9();
    Duration back = node.start();
    try (BucketClient bucket = node.bucket()) {
      List<String> listed =
          bucket.list(new BucketPath(BUCKET, ""), "", Optional.empty()).objects().stream()
              .map(ListedObject::key)
              .toList();
      int same = 0;
      for (int i = 1; i < FILES; i++) {
        same += Arrays.equals(bucket.bytes(path(i), LARGE_BYTES), files.get(i)) ? 1 : 0;
      }
      say.line(
          "  ready again in %d ms; the same door serves `aws s3` and `ron s3`", back.toMillis());
      List<String> expected = new ArrayList<>();
      for (int i = 1; i < FILES; i++) {
        expected.add(path(i).key());
      }
      return new ChapterResult(
          "%d files listed, %d of %d the same to the last byte, the deleted one %s"
              .formatted(
                  listed.size(),
                  same,
                  FILES - 1,
                  listed.contains(path(0).key()) ? "is back" : "stays gone"),
          same == FILES - 1
              && listed.stream().sorted().collect(Collectors.toList()).equals(expected));
    }
  }

  private static BucketPath path(int file) {
    return new BucketPath(BUCKET, "2026/photo-%02d.jpg".formatted(file));
  }

  private static List<byte[]> files() {
    var random = new SplittableRandom(11);
    var files = new ArrayList<byte[]>();
    for (int i = 0; i < FILES; i++) {
      var bytes = new byte[i % 4 == 0 ? LARGE_BYTES : SMALL_BYTES];
      random.nextBytes(bytes);
      files.add(bytes);
    }
    return files;
  }
}
