package dev.ron.node.backup;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.ron.blake3.Blake3;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Reads backups of a repository; every byte is held against its address before it counts.
 *
 * <p>Threading: owned by one thread.
 */
record BackupReader(BackupRepository repository) {
  private static final String BACKUPS = "backups/";
  private static final String SUFFIX = ".json";
  private static final int MANIFEST_BYTES_MAX = 16 << 20;
  private static final int LIST_BYTES_MAX = 1 << 30;

  private static final FileAttribute<?> FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final FileAttribute<?> FOLDER =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  static String path(String name) {
    return BACKUPS + name + SUFFIX;
  }

  /** The names of all backups, oldest first. */
  List<String> names() throws IOException, InterruptedException {
    return repository.list(BACKUPS).keySet().stream()
        .filter(name -> name.endsWith(SUFFIX))
        .map(name -> name.substring(BACKUPS.length(), name.length() - SUFFIX.length()))
        .toList();
  }

  BackupManifest manifest(String name) throws IOException, InterruptedException {
    return BackupManifest.parse(name, repository.get(path(name), MANIFEST_BYTES_MAX));
  }

  /**
   * The newest that was made at a time or before it. One that cannot be read is passed over, and
   * named, where a node or a time was asked for: it may be another node's, or of later. The newest
   * of all is what was asked for, so if that is the one, an older one is no answer.
   *
   * @param name of one backup; empty for the newest
   * @param node that made it, where several keep theirs in one place; empty for any
   * @param skipped hears of each that was passed over
   */
  BackupManifest chosen(String name, String node, Instant before, Consumer<String> skipped)
      throws IOException, InterruptedException {
    if (!name.isEmpty()) {
      return manifest(name);
    }
    boolean newest = node.isEmpty() && before.equals(Instant.MAX);
    var unreadable = new ArrayList<String>();
    for (String each : names().reversed()) {
      try {
        BackupManifest manifest = manifest(each);
        boolean wanted = node.isEmpty() || node.equals(manifest.node());
        if (wanted && !manifest.created().isAfter(before)) {
          unreadable.forEach(skipped);
          return manifest;
        }
      } catch (IOException wrong) {
        if (newest) {
          throw new IOException(
              wrong.getMessage() + "; it is the newest: name an older one by --backup", wrong);
        }
        unreadable.add("SKIPPED: " + wrong.getMessage());
      }
    }
    if (!unreadable.isEmpty()) {
      unreadable.forEach(skipped);
      throw new IOException(
          "no backup there that can be read was made"
              + words(node, before)
              + "; "
              + unreadable.size()
              + " cannot be read");
    }
    throw new IllegalArgumentException(
        names().isEmpty()
            ? "there is no backup there"
            : "no backup there was made" + words(node, before));
  }

  private static String words(String node, Instant before) {
    return (node.isEmpty() ? "" : " by node " + node)
        + (before.equals(Instant.MAX) ? "" : " before " + before);
  }

  /** The files of a backup. */
  FileTable table(BackupManifest manifest) throws IOException, InterruptedException {
    if (manifest.list().size() > LIST_BYTES_MAX) {
      throw new IOException("backup %s has too long a list of files".formatted(manifest.name()));
    }
    var bytes = new ByteArrayOutputStream();
    for (int i = 0; i < manifest.list().pieces().size(); i++) {
      bytes.write(piece(manifest.list(), i));
    }
    if (!Blake3.hash(bytes.toByteArray()).hex().equals(manifest.root())) {
      throw new IOException(
          "the list of files of backup %s does not have its root".formatted(manifest.name()));
    }
    FileTable table = FileTable.parse(bytes.toByteArray());
    if (table.files().size() != manifest.files()) {
      throw new IOException(
          "backup %s has %d files and should have %d"
              .formatted(manifest.name(), table.files().size(), manifest.files()));
    }
    return table;
  }

  /** What is missing, without reading the pieces. */
  List<String> missing(FileTable table) throws IOException, InterruptedException {
    SortedMap<String, Long> there = repository.list("pieces");
    var missing = new ArrayList<String>();
    for (BackupFile file : table.files()) {
      for (int i = 0; i < file.pieces().size(); i++) {
        Long size = there.get(BackupRepository.piece(file.pieces().get(i)));
        if (size == null || size != file.pieceBytes(i)) {
          missing.add(
              "%s: piece %s is %s"
                  .formatted(file.name(), file.pieces().get(i), size == null ? "missing" : "cut"));
        }
      }
    }
    return missing;
  }

  /**
   * Reads every piece.
   *
   * @return what is missing or damaged, by the files that have it
   */
  List<String> verify(FileTable table) throws InterruptedException {
    Set<String> good = new HashSet<>();
    var wrong = new ArrayList<String>();
    for (BackupFile file : table.files()) {
      for (int i = 0; i < file.pieces().size(); i++) {
        if (good.contains(file.pieces().get(i))) {
          continue;
        }
        try {
          var _ = piece(file, i);
          good.add(file.pieces().get(i));
        } catch (IOException damaged) {
          wrong.add(String.valueOf(damaged.getMessage()));
        }
      }
    }
    return wrong;
  }

  byte[] piece(BackupFile file, int index) throws IOException, InterruptedException {
    String hex = file.pieces().get(index);
    byte[] bytes;
    try {
      bytes = repository.get(BackupRepository.piece(hex), BackupRepository.PIECE_BYTES);
    } catch (IOException gone) {
      throw new IOException("%s: %s".formatted(file.name(), gone.getMessage()), gone);
    }
    if (bytes.length != file.pieceBytes(index) || !Blake3.hash(bytes).hex().equals(hex)) {
      throw new IOException(
          "%s: piece %s is not what its address says".formatted(file.name(), hex));
    }
    return bytes;
  }

  /** A small file in memory. */
  byte[] bytes(BackupFile file) throws IOException, InterruptedException {
    var bytes = new ByteArrayOutputStream();
    for (int i = 0; i < file.pieces().size(); i++) {
      bytes.write(piece(file, i));
    }
    return bytes.toByteArray();
  }

  /** Writes all files but the secrets, durably. */
  void write(FileTable table, Function<String, Path> place)
      throws IOException, InterruptedException {
    for (BackupFile file : table.files()) {
      if (!file.name().equals(BackupWriter.SECRETS)) {
        write(file, place.apply(file.name()));
      }
    }
  }

  private void write(BackupFile file, Path to) throws IOException, InterruptedException {
    Files.createDirectories(Objects.requireNonNull(to.getParent()), FOLDER);
    try (FileChannel out = FileChannel.open(to, Set.of(CREATE_NEW, WRITE), FILE)) {
      for (int i = 0; i < file.pieces().size(); i++) {
        ByteBuffer left = ByteBuffer.wrap(piece(file, i));
        while (left.hasRemaining()) {
          out.write(left);
        }
      }
      out.force(true);
    }
  }

  /** Writes one secret. */
  static void secret(Path to, byte[] bytes) throws IOException {
    Files.createDirectories(Objects.requireNonNull(to.getParent()), FOLDER);
    try (FileChannel out = FileChannel.open(to, Set.of(CREATE_NEW, WRITE), FILE)) {
      out.write(ByteBuffer.wrap(bytes));
      out.force(true);
    }
  }
}
