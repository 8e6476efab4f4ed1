package dev.ron.storage.object;

import dev.ron.content.AmnesiaStore;
import dev.ron.content.ContentMetrics;
import dev.ron.content.ContentStore;
import dev.ron.content.store.SegmentConfig;
import dev.ron.content.store.SegmentStore;
import dev.ron.content.store.VerifyMode;
import dev.ron.kernel.Scope;
import dev.ron.kernel.disk.TimedDisk;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.storage.StorageConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The configured directories, opened, each with a store of its own.
 *
 * <p>A directory that cannot be opened does not keep the others from serving; readiness names it.
 *
 * <p>Threading: owned by the thread that wires the service.
 */
public final class DataDirectories {
  private static final int MEMORY_OBJECTS_MAX = 1 << 20;
  private static final String REFERENCES = "references";

  private final Scope scope;
  private final StorageConfig config;
  private final ContentMetrics metrics;
  private final List<Opened> opened = new ArrayList<>();
  private final List<Volume> volumes = new ArrayList<>();

  /** A directory and what is made of it. */
  public record Opened(DataDirectory directory, SegmentStore store, Volume volume) {
    /** Waits for the drain, and then closes the store in order, so that the next start is fast. */
    public Task end() {
      return new StoreEnd(store);
    }
  }

  private DataDirectories(Scope scope, StorageConfig config, ContentMetrics metrics) {
    this.scope = scope;
    this.config = config;
    this.metrics = metrics;
  }

  /**
   * Those of objects; none under amnesia.
   *
   * @throws IOException if no directory at all can be opened; the message says why
   */
  public static DataDirectories open(Scope scope, StorageConfig config, ContentMetrics metrics)
      throws IOException {
    var all = new DataDirectories(scope, config, metrics);
    if (config.amnesia()) {
      scope.readiness().note("durability", "amnesia");
      all.volumes.add(memory(config));
    } else {
      all.openAll();
    }
    return all;
  }

  private void openAll() throws IOException {
    var unopened = new ArrayList<String>();
    for (int i = 0; i < config.dataDirs().size(); i++) {
      Path folder = config.dataDirs().get(i);
      try {
        opened.add(open(folder, i));
      } catch (IOException e) {
        String why = "%s cannot be opened: %s".formatted(folder, e);
        scope.log().error("data-dir", "folder", folder, "trouble", e);
        scope.readiness().derived("data-dir-" + i, () -> Optional.of(why));
        unopened.add(why);
      }
    }
    if (opened.isEmpty()) {
      throw new IOException("no data directory can be opened: " + unopened);
    }
    opened.forEach(each -> volumes.add(each.volume()));
  }

  /**
   * A second store in each directory, in a folder of that name; where it is wanted, and where there
   * is one from before.
   *
   * @throws IOException if one of them cannot be opened; the message says why
   */
  public List<Opened> openBeside(String name, boolean wanted) throws IOException {
    var beside = new ArrayList<Opened>();
    for (int i = 0; i < opened.size(); i++) {
      DataDirectory directory = opened.get(i).directory();
      Path folder = directory.folder().resolve(name);
      if (wanted || scope.disk().exists(folder)) {
        scope.disk().createFolders(folder);
        beside.add(store(directory, folder, opened.size() + i));
      }
    }
    return beside;
  }

  /**
   * Where references are stored: in each directory. One that takes no writes and has none yet is
   * left out.
   *
   * @param stores each directory has had opened before
   * @throws IOException if one that is there cannot be opened; the message says why
   */
  public List<Opened> openReferences(int stores) throws IOException {
    var references = new ArrayList<Opened>();
    for (int i = 0; i < opened.size(); i++) {
      DataDirectory directory = opened.get(i).directory();
      Path folder = directory.folder().resolve(REFERENCES);
      try {
        scope.disk().createFolders(folder);
      } catch (IOException e) {
        if (!scope.disk().exists(folder)) {
          scope.log().warn("references", "folder", folder, "trouble", e);
          continue;
        }
      }
      references.add(store(directory, folder, stores * opened.size() + i));
    }
    return references;
  }

  /** Folders of references that say something, for a storage that does not ask them. */
  public List<Path> references() throws IOException {
    var found = new ArrayList<Path>();
    for (int i = 0; i < opened.size(); i++) {
      DataDirectory directory = opened.get(i).directory();
      Path folder = directory.folder().resolve(REFERENCES);
      if (scope.disk().exists(folder)) {
        try (SegmentStore store = store(directory, folder, 2 * opened.size() + i).store()) {
          if (store.space().objects() > 0) {
            found.add(folder);
          }
        }
      }
    }
    return found;
  }

  private Opened open(Path folder, int number) throws IOException {
    var disk = new TimedDisk(scope.disk(), scope.time(), config.diskTimeout());
    DataDirectory directory =
        DataDirectory.open(disk, folder, config.sizes().freeMin().bytes(), scope.secrets());
    disk.createFolders(directory.uploads());
    Opened made = store(directory, directory.objects(), number);
    scope.readiness().derived("data-dir-" + number, () -> trouble(made.volume()));
    return made;
  }

  private Opened store(DataDirectory directory, Path folder, int number) throws IOException {
    SegmentStore store =
        SegmentStore.open(scope.on(directory.disk()), segments(folder), number, metrics);
    var volume = new Volume(directory, store);
    return new Opened(directory, store, volume);
  }

  private static Optional<String> trouble(Volume volume) {
    return Optional.of(volume.condition().why()).filter(why -> !why.isEmpty());
  }

  private SegmentConfig segments(Path folder) {
    SegmentConfig usual = SegmentConfig.in(folder);
    return usual
        .withSizes(
            usual.segmentBytes(), config.sizes().objectBytes().bytes(), usual.snapshotBytes())
        .withVerify(
            config.verify() == StorageConfig.Verify.ONCE ? VerifyMode.ONCE : VerifyMode.ALWAYS)
        .withDeleteGrace(config.durability().deleteGrace())
        .withCommitLimit(config.diskTimeout());
  }

  public List<Opened> opened() {
    return List.copyOf(opened);
  }

  /** One of each directory; under amnesia one in memory. */
  public List<Volume> volumes() {
    return List.copyOf(volumes);
  }

  /** A store that writes nothing anywhere. */
  public static Volume memory(StorageConfig config) {
    long bytes = config.sizes().memoryBytes().bytes();
    ContentStore store =
        new AmnesiaStore(bytes, MEMORY_OBJECTS_MAX, (int) Math.min(bytes, Integer.MAX_VALUE - 8L));
    return new Volume("memory", "memory", store, Optional::empty);
  }

  private record StoreEnd(SegmentStore store) implements Task {
    @Override
    public Next run(Instant now) {
      return Next.at(Instant.MAX);
    }

    @Override
    public void finish(Instant now) throws IOException {
      store.close();
    }
  }
}
