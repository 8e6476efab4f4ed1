package dev.ron.storage.s3.check;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.ron.capability.SecretFile;
import dev.ron.ordered.KeyRange;
import dev.ron.ordered.RowCursor;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.ObjectEncryption;
import dev.ron.storage.s3.encryption.MasterKeys;
import dev.ron.storage.s3.names.Names;
import dev.ron.storage.s3.names.RowKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Holds the server's own keys against the versions that are encrypted with them.
 *
 * <p>A key has no checksum: one that was changed is another key, with another id. So a start keeps
 * the ids of its keys beside the rows, and looks through all versions if one of them is gone. An
 * empty file of ids is no such reason: what needed keys that are gone was given up.
 *
 * <p>Threading: owned by one thread.
 */
public final class MasterKeyCheck {
  /** The ids of the keys that the last start had, one a line, beside rows and log. */
  public static final String IDS = "master-keys";

  private static final int NAMES_MAX = 20;

  private final Names names;
  private final Predicate<String> known;
  private final SortedMap<String, LostObjects> lost = new TreeMap<>();

  /** What a key that is gone would open. */
  private static final class LostObjects {
    private final List<String> first = new ArrayList<>();
    private long count;

    private void add(String name) {
      count++;
      if (first.size() < NAMES_MAX) {
        first.add(name);
      }
    }
  }

  private MasterKeyCheck(Names names, Predicate<String> known) {
    this.names = names;
    this.known = known;
  }

  /**
   * The keys of a file that is made if it is missing; but not in the place of one that is needed.
   *
   * @param folder where rows and log of the names are
   * @throws IOException if versions need a key that is not in the file, with their names
   */
  public static MasterKeys open(Path file, Path folder, Names names, RandomGenerator secrets)
      throws IOException {
    MasterKeys there = MasterKeys.open(file);
    Path kept = folder.resolve(IDS);
    Set<String> ids = Files.exists(kept) ? ids(kept) : Set.of();
    boolean gone = Files.exists(kept) ? !there.ids().containsAll(ids) : there.ids().isEmpty();
    List<String> lost = gone ? run(names, there.ids()::contains) : List.of();
    if (!lost.isEmpty()) {
      throw new IOException(
          "%s: %s. Bring the file back as it was; or, to give these up for good, empty %s"
              .formatted(file, String.join("; ", lost), kept));
    }
    MasterKeys keys = MasterKeys.openOrMake(file, secrets);
    if (!keys.ids().equals(ids)) {
      SecretFile.replace(kept, String.join("\n", keys.ids()) + "\n");
    }
    return keys;
  }

  private static Set<String> ids(Path file) throws IOException {
    var ids = new LinkedHashSet<String>();
    for (String line : Files.readAllLines(file, ISO_8859_1)) {
      if (!line.isBlank()) {
        ids.add(line.strip());
      }
    }
    return ids;
  }

  /**
   * What is encrypted with keys that are not known, in words, for each of them.
   *
   * @param known whether there is a key of an id
   */
  static List<String> run(Names names, Predicate<String> known) throws IOException {
    var check = new MasterKeyCheck(names, known);
    var buckets = new ArrayList<Bucket>();
    names.view().buckets(buckets::add);
    for (Bucket bucket : buckets) {
      check.bucket(bucket);
    }
    var said = new ArrayList<String>();
    check.lost.forEach(
        (key, found) ->
            said.add(
                "the key %s is not there, and %d encrypted with it do not open: %s%s"
                    .formatted(
                        key,
                        found.count,
                        String.join(", ", found.first),
                        found.count > found.first.size() ? " and more" : "")));
    return said;
  }

  private void bucket(Bucket bucket) throws IOException {
    String name = bucket.name().text();
    try (RowCursor cursor = names.scan(KeyRange.withPrefix(RowKeys.objects(bucket.id())))) {
      while (cursor.next()) {
        look(
            Names.version(cursor.value()).encryption(),
            name + "/" + RowKeys.keyOfObject(cursor.key()));
      }
    }
    try (RowCursor cursor = names.scan(KeyRange.withPrefix(RowKeys.versions(bucket.id())))) {
      while (cursor.next()) {
        look(
            Names.version(cursor.value()).encryption(),
            "a version of " + name + "/" + RowKeys.keyOfVersion(cursor.key()));
      }
    }
    try (RowCursor cursor = names.scan(KeyRange.withPrefix(RowKeys.uploads(bucket.id())))) {
      while (cursor.next()) {
        look(
            Names.upload(cursor.value()).encryption(),
            "an upload of " + name + "/" + RowKeys.keyOfVersion(cursor.key()));
      }
    }
  }

  private void look(@Nullable ObjectEncryption encryption, String name) {
    if (encryption != null
        && encryption.kind() == ObjectEncryption.Kind.SERVER_KEY
        && !known.test(encryption.masterKey())) {
      lost.computeIfAbsent(encryption.masterKey(), _ -> new LostObjects()).add(name);
    }
  }
}
