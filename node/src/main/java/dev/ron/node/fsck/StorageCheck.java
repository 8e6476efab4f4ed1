package dev.ron.node.fsck;

import dev.ron.blake3.Address;
import dev.ron.content.store.StoreCheck;
import dev.ron.storage.s3.check.NameCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The segments of all disks, and the names of buckets over their blocks.
 *
 * <p>Threading: owned by one thread.
 */
final class StorageCheck {
  private static final String OBJECTS = "storage";
  private static final String BUCKETS = "s3";
  private static final String OBJECTS_FOLDER = "objects";
  static final String REFERENCES_FOLDER = "references";
  private static final String SHARDS_FOLDER = "shards";

  private final NodeCheck check;

  private StorageCheck(NodeCheck check) {
    this.check = check;
  }

  static void run(NodeCheck check, Path scratch) throws IOException {
    var storage = new StorageCheck(check);
    List<Path> disks = check.folders().disks();
    Set<Address> objects = storage.whole(OBJECTS, disks, OBJECTS_FOLDER, "objects");
    boolean coded = disks.stream().anyMatch(disk -> Files.exists(disk.resolve(SHARDS_FOLDER)));
    if (disks.stream().anyMatch(disk -> Files.exists(disk.resolve(REFERENCES_FOLDER)))) {
      Set<Address> references =
          storage.whole("references of tenants", disks, REFERENCES_FOLDER, "references");
      // The parts of a coded object are on several machines.
      if (check.target().objectsAreHere() && !coded) {
        ReferenceCheck.run(check, references, objects);
      }
    }
    if (coded) {
      storage.whole("parts of coded objects", disks, SHARDS_FOLDER, "parts");
    }
    List<Path> buckets = disks.stream().map(disk -> disk.resolve("s3")).toList();
    Set<Address> blocks = storage.whole(BUCKETS, buckets, OBJECTS_FOLDER, "blocks");
    Path names = check.folders().names();
    Path shared = check.folders().sharedNames();
    Predicate<String> masters = KeysCheck.masters(check);
    if (Files.exists(shared.resolve("rows"))) {
      storage.names(NameCheck.runShared(check.scope(), shared, scratch, masters));
    } else if (Files.exists(names.resolve("rows"))) {
      storage.names(NameCheck.run(check.scope(), names, scratch, blocks::contains, masters));
    } else if (Files.exists(shared) || Files.exists(names)) {
      check.lost(BUCKETS, "the folder of rows is gone");
    }
  }

  private void names(NameCheck.Report report) {
    report.lost().forEach(what -> check.lost(BUCKETS, what));
    report.locked().forEach(what -> check.lost(KeysCheck.STORE, what));
    check.journal(BUCKETS + " log", report.journal(), _ -> Optional.empty());
    check.counted(BUCKETS, report.versions() + " versions");
  }

  /** The addresses that are whole on at least one disk. */
  private Set<Address> whole(String store, List<Path> disks, String name, String noun)
      throws IOException {
    var whole = new HashSet<Address>();
    Map<Address, String> lost = new LinkedHashMap<>();
    for (Path disk : disks) {
      Path folder = disk.resolve(name);
      if (!Files.exists(folder)) {
        if (Files.exists(disk)) {
          check.lost(store, folder + " is gone");
        }
        continue;
      }
      if (!Files.exists(disk.resolve("home"))) {
        check.lost(store, disk.resolve("home") + " is gone: the directory has no id");
      }
      StoreCheck.Report report = StoreCheck.run(check.scope().disk(), folder);
      report.files().forEach(what -> check.lost(store, folder + ": " + what));
      report.unfinished().forEach(what -> check.unfinished(store, "put of " + what));
      report.lost().forEach((address, why) -> lost.put(address, folder + ": " + why));
      whole.addAll(report.whole());
    }
    lost.forEach(
        (address, why) ->
            check.lost(
                store,
                "%s, %s%s"
                    .formatted(
                        address, why, whole.contains(address) ? "; another copy is whole" : "")));
    check.counted(store, whole.size() + " " + noun);
    return whole;
  }
}
