package dev.ron.rewarder.artifact;

import dev.ron.http.Refusal;
import dev.ron.http.json.JsonTree;
import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.DiskFile;
import dev.ron.kernel.log.Log;
import dev.ron.rewarder.core.Manifest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Finished runs, a folder each, and the drafts of runs being computed.
 *
 * <p>A run is written as a draft, flushed, and becomes a run by one rename; so a folder with its
 * final name is whole, and only the name says so. Drafts that a crash left are cleared at the
 * start.
 *
 * <pre>
 * runs/RUN_KEY/run.json allocations index held policy.json      dry/RUN_KEY/...      drafts/N/...
 * set-aside/RUN_KEY/...
 * </pre>
 *
 * <p>Threading: thread-safe; each draft is written by one at a time.
 */
public final class Artifacts {
  private static final String MANIFEST = "run.json";
  private static final String POLICY = "policy.json";
  private static final String SET_ASIDE = "set-aside";
  private static final int MANIFEST_BYTES_MAX = 1 << 20;

  private final Log log;
  private final Disk disk;
  private final Path folder;
  private final AtomicLong drafts = new AtomicLong();

  private Artifacts(Log log, Disk disk, Path folder) {
    this.log = log;
    this.disk = disk;
    this.folder = folder;
  }

  public static Artifacts open(Log log, Disk disk, Path folder) throws IOException {
    var artifacts = new Artifacts(log, disk, folder);
    for (String name : List.of("runs", "dry", "drafts")) {
      disk.createFolders(folder.resolve(name));
      // What is found here counts as kept and is paid: it must survive the next crash.
      disk.flushDirectory(folder.resolve(name));
    }
    disk.flushDirectory(folder);
    if (disk.exists(folder.resolve("drafts"))) {
      for (Path draft : disk.list(folder.resolve("drafts"))) {
        artifacts.delete(draft);
      }
    }
    return artifacts;
  }

  public Disk disk() {
    return disk;
  }

  /** An empty folder to write a run in. */
  public Path draft() throws IOException {
    Path draft = freshDraft();
    disk.createFolders(draft);
    return draft;
  }

  private Path freshDraft() {
    return folder.resolve("drafts").resolve(Long.toString(drafts.getAndIncrement()));
  }

  public Path run(String runKey, boolean dry) {
    return folder.resolve(dry ? "dry" : "runs").resolve(runKey);
  }

  /**
   * Makes a draft a run; nothing of it changes from then on.
   *
   * <p>If this fails, {@link #isNamed} says whether the run may be found after a start. Keeping it
   * again is right then: it replaces a folder that was neither announced nor paid.
   */
  public void keep(Path draft, Manifest manifest, byte[] policy, boolean dry) throws IOException {
    write(draft.resolve(POLICY), policy);
    write(draft.resolve(MANIFEST), manifest.bytes());
    disk.flushDirectory(draft);
    Path run = run(manifest.runKey(), dry);
    if (disk.exists(run)) {
      Path earlier = freshDraft();
      disk.rename(run, earlier);
      delete(earlier);
    }
    disk.rename(draft, run);
    disk.flushDirectory(folder.resolve(dry ? "dry" : "runs"));
  }

  /**
   * The run's folder has its final name now and, unless the disk loses the rename, after a start.
   */
  public boolean isNamed(String runKey, boolean dry) {
    return disk.exists(run(runKey, dry));
  }

  /** Moves a run out of the way, as it is. */
  public void setAside(String runKey) throws IOException {
    Path aside = folder.resolve(SET_ASIDE);
    disk.createFolders(aside);
    disk.rename(run(runKey, false), aside.resolve(runKey));
    disk.flushDirectory(aside);
    disk.flushDirectory(folder.resolve("runs"));
  }

  /** Every run that was moved out of the way. */
  public List<Manifest> setAside() throws IOException {
    return manifests(folder.resolve(SET_ASIDE));
  }

  private void write(Path file, byte[] bytes) throws IOException {
    try (DiskFile open = disk.open(file)) {
      open.truncate(0);
      open.write(ByteBuffer.wrap(bytes), 0);
      open.flush();
    }
  }

  public Manifest manifest(String runKey, boolean dry) throws IOException {
    return manifest(run(runKey, dry));
  }

  private Manifest manifest(Path run) throws IOException {
    try {
      Manifest manifest = Manifest.read(JsonTree.object(read(run.resolve(MANIFEST))));
      if (manifest.number("version") != Manifest.VERSION) {
        throw new IOException(
            "%s is of version %s, known is %d"
                .formatted(run.resolve(MANIFEST), manifest.text("version"), Manifest.VERSION));
      }
      if (!manifest.intact()) {
        throw new IOException(run.resolve(MANIFEST) + " does not have its commitment");
      }
      return manifest;
    } catch (Refusal | IllegalArgumentException broken) {
      throw new IOException(run.resolve(MANIFEST) + " is damaged: " + broken.getMessage(), broken);
    }
  }

  /** The policy of a run, as it was sealed. */
  public byte[] policy(String runKey, boolean dry) throws IOException {
    return read(run(runKey, dry).resolve(POLICY));
  }

  private byte[] read(Path file) throws IOException {
    try (DiskFile open = disk.openReadOnly(file)) {
      long size = open.size();
      if (size > MANIFEST_BYTES_MAX) {
        throw new IOException(file + " has " + size + " bytes");
      }
      var bytes = ByteBuffer.allocate((int) size);
      open.read(bytes, 0);
      return bytes.array();
    }
  }

  /** Every run that is there. */
  public List<Manifest> all(boolean dry) throws IOException {
    return manifests(folder.resolve(dry ? "dry" : "runs"));
  }

  private List<Manifest> manifests(Path parent) throws IOException {
    var all = new ArrayList<Manifest>();
    if (disk.exists(parent)) {
      for (Path run : disk.list(parent)) {
        all.add(manifest(run));
      }
    }
    return all;
  }

  public AllocationReader allocations(String runKey, boolean dry, int pools) throws IOException {
    return new AllocationReader(disk, run(runKey, dry), pools);
  }

  /**
   * Deletes a draft with all that is in it; what the disk does not delete is cleared at a start.
   */
  public void letGo(Path draft) {
    try {
      delete(draft);
    } catch (IOException left) {
      log.warn("draft-left", "draft", draft, "why", String.valueOf(left.getMessage()));
    }
  }

  private void delete(Path draft) throws IOException {
    if (disk.exists(draft)) {
      for (Path file : disk.list(draft)) {
        disk.delete(file);
      }
      disk.delete(draft);
    }
  }
}
