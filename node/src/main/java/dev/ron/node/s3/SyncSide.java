package dev.ron.node.s3;

import dev.ron.client.bucket.BucketClient;
import dev.ron.client.bucket.BucketPath;
import dev.ron.client.bucket.ListedObject;
import dev.ron.client.bucket.ListedObjects;
import dev.ron.client.bucket.SyncPlan;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Names below a folder or a prefix, in the order of a listing, with what is known of each.
 *
 * <p>Threading: owned by one thread.
 */
interface SyncSide {
  /** Files of one tree, which are sorted in memory. */
  int FILES_MAX = 2_000_000;

  /** One name, with slashes, below the folder or prefix. */
  record Entry(String name, SyncPlan.Side side) {}

  /** The next one; null after the last. */
  @Nullable Entry next() throws IOException, InterruptedException;

  /** A folder that is not there yet has no names. */
  static SyncSide of(BucketClient client, String place) throws IOException {
    return BucketPath.isOne(place)
        ? below(client, folder(BucketPath.parse(place)))
        : files(Path.of(place));
  }

  /** The prefix that stands for a folder. */
  static BucketPath folder(BucketPath path) {
    return path.key().isEmpty() || path.key().endsWith("/") ? path : path.at(path.key() + "/");
  }

  /** Folder markers are no names of their own. */
  private static SyncSide below(BucketClient client, BucketPath prefix) {
    var listing = new ListedObjects(client, prefix);
    int cut = prefix.key().length();
    return () -> {
      ListedObject object = listing.next();
      while (object != null && object.key().endsWith("/")) {
        object = listing.next();
      }
      return object == null
          ? null
          : new Entry(object.key().substring(cut), SyncPlan.Side.of(object));
    };
  }

  private static SyncSide files(Path folder) throws IOException {
    if (Files.isRegularFile(folder)) {
      throw new NotDirectoryException(folder + " is a file; --recursive and sync take folders");
    }
    if (!Files.isDirectory(folder)) {
      return () -> null;
    }
    List<String> names;
    try (Stream<Path> all = Files.walk(folder)) {
      names =
          all.filter(Files::isRegularFile)
              .map(file -> folder.relativize(file).toString().replace(File.separatorChar, '/'))
              .limit(FILES_MAX + 1L)
              .sorted(order())
              .toList();
    }
    if (names.size() > FILES_MAX) {
      throw new IOException("more than %d files below %s".formatted(FILES_MAX, folder));
    }
    Iterator<String> left = names.iterator();
    return () -> {
      if (!left.hasNext()) {
        return null;
      }
      String name = left.next();
      Path file = folder.resolve(name);
      return new Entry(
          name, SyncPlan.Side.file(Files.size(file), Files.getLastModifiedTime(file).toInstant()));
    };
  }

  private static Comparator<String> order() {
    return SyncPlan.KEY_ORDER;
  }
}
