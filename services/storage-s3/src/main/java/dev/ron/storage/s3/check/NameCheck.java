package dev.ron.storage.s3.check;

import dev.ron.blake3.Address;
import dev.ron.journal.Journal.RecordConsumer;
import dev.ron.journal.file.JournalCheck;
import dev.ron.kernel.Scope;
import dev.ron.ordered.KeyRange;
import dev.ron.ordered.OrderedSettings;
import dev.ron.ordered.OrderedStore;
import dev.ron.ordered.RowCursor;
import dev.ron.ordered.rocks.RocksOrderedStore;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.Extent;
import dev.ron.storage.s3.core.ObjectContent;
import dev.ron.storage.s3.core.ObjectVersion;
import dev.ron.storage.s3.names.NameApplier;
import dev.ron.storage.s3.names.NameCommandCodec;
import dev.ron.storage.s3.names.Names;
import dev.ron.storage.s3.names.RowKeys;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Brings a copy of the rows to where the log leads, as a start would, looks for the blocks of every
 * version, and compares the rows with each other.
 *
 * <p>The rows are copied because RocksDB writes where it opens. Their files are immutable, so where
 * the file system can, a copy is a second name of the same bytes.
 *
 * <p>Threading: owned by one thread.
 */
public final class NameCheck {
  private static final String ROWS = "rows";

  private final Scope scope;
  private final Path names;
  private final boolean shared;
  private final Predicate<Address> stored;
  private final Predicate<String> masters;
  private final List<String> lost = new ArrayList<>();
  private long versions;

  private NameCheck(
      Scope scope,
      Path names,
      boolean shared,
      Predicate<Address> stored,
      Predicate<String> masters) {
    this.scope = scope;
    this.names = names;
    this.shared = shared;
    this.stored = stored;
    this.masters = masters;
  }

  /**
   * @param versions how many were looked at
   * @param lost what is lost or unreadable, by bucket and key where they are known
   * @param locked what no key of the server's opens any more, by key
   * @param journal what the log is
   */
  public record Report(
      long versions, List<String> lost, List<String> locked, JournalCheck.Report journal) {}

  /**
   * @param names the folder of rows and log
   * @param scratch an empty folder, best on the same disk
   * @param stored whether all bytes of a block are there
   * @param masters whether the server's key of an id is there
   */
  public static Report run(
      Scope scope, Path names, Path scratch, Predicate<Address> stored, Predicate<String> masters)
      throws IOException {
    return new NameCheck(scope, names, false, stored, masters).run(scratch);
  }

  /**
   * The rows of a machine that is one of several. Their log is the machines' together, and blocks
   * may be on others alone.
   *
   * @param names the folder of rows
   * @param scratch an empty folder, best on the same disk
   * @param masters whether the server's key of an id is there
   */
  public static Report runShared(Scope scope, Path names, Path scratch, Predicate<String> masters)
      throws IOException {
    return new NameCheck(scope, names, true, _ -> true, masters).run(scratch);
  }

  private Report run(Path scratch) throws IOException {
    Path rows = names.resolve(ROWS);
    if (!Files.exists(rows.resolve("CURRENT")) && holdsTables(rows)) {
      lost.add("rows: the file CURRENT is gone, and with it the list of all others");
    }
    copy(rows, scratch.resolve(ROWS));
    try (var store =
        RocksOrderedStore.open(scratch.resolve(ROWS), OrderedSettings.named("check"))) {
      return held(store);
    } catch (IOException | UncheckedIOException unreadable) {
      return unreadable(unreadable);
    }
  }

  private Report held(OrderedStore store) throws IOException {
    long applied = store.appliedIndex();
    var held = new Names(scope, store, () -> {});
    NameApplier applier = held.applier();
    JournalCheck.Report journal =
        log(
            (position, payload) -> {
              if (position == applier.decided() + 1) {
                byte[] bytes = new byte[payload.remaining()];
                payload.get(bytes);
                applier.decide(NameCommandCodec.command(bytes), Long.MAX_VALUE, position);
              }
            });
    applier.bringIn();
    if (!shared && (applied + 1 < journal.first() || applied >= journal.next())) {
      lost.add(
          "rows and log do not fit: the rows end at entry %d, the log has %d to %d"
              .formatted(applied, journal.first(), journal.next() - 1));
    }
    readable(store);
    var rows = new RowCheck(held.view(), lost);
    var buckets = new HashMap<Long, String>();
    compared(rows::parts);
    held.view()
        .buckets(
            bucket -> {
              buckets.put(bucket.id(), bucket.name().text());
              versions(held, bucket, rows);
              return true;
            });
    compared(() -> rows.rest(buckets));
    return new Report(versions, lost, locked(held), journal);
  }

  /** Rows that cannot be read are told of where versions are looked at. */
  private List<String> locked(Names held) throws IOException {
    try {
      return MasterKeyCheck.run(held, masters);
    } catch (UncheckedIOException unreadable) {
      throw unreadable;
    } catch (RuntimeException unreadable) {
      return List.of();
    }
  }

  private void compared(Runnable step) {
    try {
      step.run();
    } catch (UncheckedIOException unreadable) {
      throw unreadable;
    } catch (RuntimeException unreadable) {
      lost.add("rows: one of them says nothing: " + unreadable.getMessage());
    }
  }

  private JournalCheck.Report log(RecordConsumer consumer) throws IOException {
    return shared
        ? new JournalCheck.Report(0, 0, 0, OptionalLong.empty(), List.of(), Optional.empty())
        : JournalCheck.run(scope.disk(), names.resolve("journal"), consumer);
  }

  /** Every row once, also of tables that lead to no version. */
  private static void readable(OrderedStore store) throws IOException {
    try (RowCursor cursor = store.scan(KeyRange.all())) {
      while (cursor.next()) {
        if (cursor.key().length == 0) {
          throw new IOException("a row without a key");
        }
      }
    }
  }

  private void versions(Names held, Bucket bucket, RowCheck rows) {
    try {
      for (byte[] prefix : List.of(RowKeys.objects(bucket.id()), RowKeys.versions(bucket.id()))) {
        try (RowCursor cursor = held.scan(KeyRange.withPrefix(prefix))) {
          while (cursor.next()) {
            byte[] row = cursor.key();
            boolean current = row[0] == 'O';
            String key =
                (current ? RowKeys.keyOfObject(row) : RowKeys.keyOfVersion(row)).toString();
            ObjectVersion version = Names.version(cursor.value());
            String name =
                "%s/%s%s"
                    .formatted(
                        bucket.name().text(),
                        key,
                        current ? "" : " version " + version.versionId());
            look(held, name, version);
            rows.version(name, version);
          }
        }
      }
    } catch (IOException | RuntimeException unreadable) {
      lost.add("names of %s: %s".formatted(bucket.name().text(), unreadable.getMessage()));
    }
  }

  private void look(Names held, String name, ObjectVersion version) {
    versions++;
    missing(held, version.content())
        .ifPresent(block -> lost.add("%s, for block %s is gone or damaged".formatted(name, block)));
  }

  private Optional<Address> missing(Names held, ObjectContent content) {
    return switch (content) {
      case ObjectContent.Inline _ -> Optional.empty();
      case ObjectContent.Blocks(List<Extent> extents) ->
          extents.stream().map(Extent::block).filter(stored.negate()).findFirst();
      case ObjectContent.Parts(var upload, _) -> {
        var found = new ArrayList<Address>(1);
        held.view()
            .parts(
                upload,
                part -> {
                  missing(held, part.content()).ifPresent(found::add);
                  return found.isEmpty();
                });
        yield found.stream().findFirst();
      }
    };
  }

  /** What the log says is all there is to say then. */
  private Report unreadable(Exception why) throws IOException {
    JournalCheck.Report journal = log((_, _) -> {});
    lost.add(
        "rows cannot be read: %s; %s"
            .formatted(
                why.getMessage(),
                shared
                    ? "the other machines have them: replace this one"
                    : journal.first() == 0 && journal.damage().isEmpty()
                        ? "the log has every change since the first, so move the folder rows away and"
                            + " start: the names are made anew"
                        : "the log begins at change %d, so names from before it are lost: restore them"
                            .formatted(journal.first())));
    return new Report(versions, lost, List.of(), journal);
  }

  private static boolean holdsTables(Path rows) throws IOException {
    try (Stream<Path> files = Files.list(rows)) {
      return files.anyMatch(file -> file.toString().endsWith(".sst"));
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path target = to.resolve(String.valueOf(file.getFileName()));
        if (!file.toString().endsWith(".sst")) {
          Files.copy(file, target);
          continue;
        }
        try {
          Files.createLink(target, file);
        } catch (IOException | UnsupportedOperationException _) {
          Files.copy(file, target);
        }
      }
    }
  }
}
