package dev.ron.node.backup;

import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.RealDisk;
import dev.ron.node.DataFolder;
import dev.ron.node.NodeFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Where the parts of a backup go: first to a place of their own, on the same disk as their last.
 *
 * <p>Threading: stateless.
 */
final class RestorePlaces {
  private static final Disk DISK = new RealDisk();
  private static final String PART = DataFolder.HALF_RESTORED;

  private RestorePlaces() {}

  /** Where each part of a backup goes; the empty name is the data folder itself. */
  static Map<String, Path> of(NodeFolders folders) {
    var places = new LinkedHashMap<String, Path>();
    places.put("", folders.data());
    places.put("mailbox", folders.mailbox());
    places.put("rewarder", folders.rewarder());
    for (int i = 0; i < folders.disks().size(); i++) {
      places.put(disk(i), folders.disks().get(i));
    }
    return places;
  }

  /** What a restore that was cut has left of its own is written anew. */
  static boolean isFree(Path folder) throws IOException {
    if (NodeFolders.isEmpty(folder)) {
      return true;
    }
    if (!Files.isDirectory(folder)) {
      return false;
    }
    try (Stream<Path> all = Files.list(folder)) {
      return all.allMatch(folder.resolve(PART)::equals);
    }
  }

  /** The names of files that are durable themselves. */
  static void flush(Path part) throws IOException {
    if (Files.exists(part)) {
      try (Stream<Path> all = Files.walk(part)) {
        for (Path folder : all.filter(Files::isDirectory).toList()) {
          DISK.flushDirectory(folder);
        }
      }
    }
  }

  static void move(Path part, Path target) throws IOException {
    if (!target.equals(part.getParent())) {
      Files.move(part, target);
      DISK.flushDirectory(Objects.requireNonNull(target.toAbsolutePath().getParent()));
      return;
    }
    try (Stream<Path> all = Files.list(part)) {
      for (Path each : all.toList()) {
        Files.move(each, target.resolve(String.valueOf(each.getFileName())));
      }
    }
    DISK.flushDirectory(target);
    Files.delete(part);
    DISK.flushDirectory(target);
  }

  static String disk(int i) {
    return i == 0 ? "storage" : "storage-" + i;
  }

  static boolean isInside(Path data, Path folder) {
    return folder.startsWith(data) && !folder.equals(data);
  }

  /** Where each part is until it is whole. */
  static Map<String, Path> parts(NodeFolders folders) {
    Map<String, Path> parts = new LinkedHashMap<>();
    of(folders).forEach((role, target) -> parts.put(role, part(folders.data(), target)));
    return parts;
  }

  private static Path part(Path data, Path target) {
    return isInside(data, target)
        ? part(data, data).resolve(data.relativize(target))
        : Files.isDirectory(target)
            ? target.resolve(PART)
            : target.resolveSibling(target.getFileName() + PART);
  }

  static Path place(Map<String, Path> parts, String file) {
    if (!FileTable.isPlain(file)) {
      throw new IllegalArgumentException("a file of the backup is called " + file);
    }
    String role = file.substring(0, Math.max(0, file.indexOf('/')));
    Path part = parts.get(role);
    return part == null || role.isEmpty()
        ? Objects.requireNonNull(parts.get("")).resolve(file)
        : part.resolve(file.substring(role.length() + 1));
  }
}
