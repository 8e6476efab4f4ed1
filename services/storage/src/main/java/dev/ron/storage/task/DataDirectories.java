package dev.ron.storage.task;

import dev.ron.content.ContentMetrics;
import dev.ron.content.ContentStore;
import dev.ron.content.MemoryStore;
import dev.ron.content.SegmentConfig;
import dev.ron.content.SegmentStore;
import dev.ron.content.Verify;
import dev.ron.kernel.Scope;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.kernel.supervise.Task;
import dev.ron.storage.StorageConfig;
import dev.ron.storage.disk.DataDirectory;
import dev.ron.storage.disk.Shelf;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The configured directories, opened, each with a store of its own and the tasks that store needs.
 *
 * <p>A directory that cannot be opened does not keep the others from serving; readiness names it.
 *
 * <p>Threading: immutable; made while the service is wired.
 */
public final class DataDirectories {
  private static final int MEMORY_OBJECTS_MAX = 1 << 20;

  private final List<Opened> opened = new ArrayList<>();
  private final List<Opened> shards = new ArrayList<>();
  private final List<String> unopened = new ArrayList<>();

  /** A directory and what is made of it. */
  public record Opened(DataDirectory directory, SegmentStore store, Shelf shelf) {}

  private final Optional<Shelf> memory;

  private DataDirectories(Optional<Shelf> memory) {
    this.memory = memory;
  }

  /**
   * Those of objects, and with several nodes those of shards; or none and a shelf in memory.
   *
   * @throws IOException if no directory at all can be opened; the message says why
   */
  public static DataDirectories open(Scope scope, StorageConfig config, ContentMetrics metrics)
      throws IOException {
    if (config.amnesia()) {
      scope.readiness().note("durability", "amnesia");
      return new DataDirectories(Optional.of(memory(config)));
    }
    DataDirectories all = openObjects(scope, config, metrics);
    if (config.cluster().several()) {
      all.openShards(scope, config, metrics);
    }
    return all;
  }

  private static DataDirectories openObjects(
      Scope scope, StorageConfig config, ContentMetrics metrics) throws IOException {
    var all = new DataDirectories(Optional.empty());
    for (int i = 0; i < config.dataDirs().size(); i++) {
      Path folder = config.dataDirs().get(i);
      try {
        all.opened.add(open(scope, config, folder, i, metrics));
      } catch (IOException e) {
        String why = "%s cannot be opened: %s".formatted(folder, e);
        scope.log().error("data-dir", "folder", folder, "trouble", e);
        scope.readiness().derived("data-dir-" + i, () -> Optional.of(why));
        all.unopened.add(why);
      }
    }
    if (all.opened.isEmpty()) {
      throw new IOException("no data directory can be opened: " + all.unopened);
    }
    return all;
  }

  /**
   * A second store in each directory, for shards; only where something is coded or was.
   *
   * @throws IOException if one of them cannot be opened; the message says why
   */
  private void openShards(Scope scope, StorageConfig config, ContentMetrics metrics)
      throws IOException {
    boolean coding = config.cluster().coding().min().bytes() > 0;
    for (int i = 0; i < opened.size(); i++) {
      DataDirectory directory = opened.get(i).directory();
      if (coding || scope.disk().exists(directory.shards())) {
        scope.disk().createFolders(directory.shards());
        shards.add(store(scope, config, directory, directory.shards(), opened.size() + i, metrics));
      }
    }
  }

  private static Opened open(
      Scope scope, StorageConfig config, Path folder, int number, ContentMetrics metrics)
      throws IOException {
    DataDirectory directory =
        DataDirectory.open(scope.disk(), folder, config.sizes().freeMin().bytes(), scope.secrets());
    scope.disk().createFolders(directory.uploads());
    Opened made = store(scope, config, directory, directory.objects(), number, metrics);
    scope.readiness().derived("data-dir-" + number, () -> trouble(made.shelf()));
    return made;
  }

  private static Opened store(
      Scope scope,
      StorageConfig config,
      DataDirectory directory,
      Path folder,
      int number,
      ContentMetrics metrics)
      throws IOException {
    SegmentStore store = SegmentStore.open(scope, segments(config, folder), number, metrics);
    var shelf = new Shelf(directory.id(), directory.folder().toString(), store, directory::absence);
    return new Opened(directory, store, shelf);
  }

  private static Optional<String> trouble(Shelf shelf) {
    return Optional.of(shelf.condition().why()).filter(why -> !why.isEmpty());
  }

  private static SegmentConfig segments(StorageConfig config, Path folder) {
    SegmentConfig usual = SegmentConfig.in(folder);
    return usual
        .withSizes(usual.segmentBytes(), config.sizes().object().bytes(), usual.snapshotBytes())
        .withVerify(config.verify() == StorageConfig.Verify.ONCE ? Verify.ONCE : Verify.ALWAYS)
        .withDeleteGrace(config.durability().deleteGrace());
  }

  /** The one shelf of a node that keeps nothing on disk. */
  private static Shelf memory(StorageConfig config) {
    long bytes = config.sizes().memory().bytes();
    ContentStore store =
        new MemoryStore(bytes, MEMORY_OBJECTS_MAX, (int) Math.min(bytes, Integer.MAX_VALUE - 8L));
    return new Shelf("memory", "memory", store, Optional::empty);
  }

  public List<Opened> opened() {
    return List.copyOf(opened);
  }

  /** Why directories could not be opened; empty if all could. */
  public List<String> unopened() {
    return List.copyOf(unopened);
  }

  public List<Shelf> shelves() {
    return memory.map(List::of).orElseGet(() -> opened.stream().map(Opened::shelf).toList());
  }

  public List<Shelf> shardShelves() {
    return shards.stream().map(Opened::shelf).toList();
  }

  /** Those of objects and those of shards. */
  public List<Opened> all() {
    return Stream.concat(opened.stream(), shards.stream()).toList();
  }

  /**
   * The stores' tasks, to stand above everything that puts; and above them, so that it comes last,
   * the end of each store.
   */
  public Supervisor into(Supervisor tree) {
    List<Opened> all = all();
    return tree.children("store", all, Restart.ALWAYS, StoreEnd::new)
        .children("commit", all, Restart.ALWAYS, each -> each.store().groupCommit())
        .children("housekeeping", all, Restart.ALWAYS, each -> each.store().housekeeping());
  }

  /** Waits for the drain, and then closes the store in order, so that the next start is fast. */
  private record StoreEnd(Opened opened) implements Task {
    @Override
    public Next run(Instant now) {
      return Next.at(Instant.MAX);
    }

    @Override
    public void finish(Instant now) throws IOException {
      opened.store().close();
    }
  }
}
