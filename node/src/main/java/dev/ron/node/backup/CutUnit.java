package dev.ron.node.backup;

import dev.ron.journal.file.SegmentCopy;
import dev.ron.kernel.disk.Disk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * One store of a cut: files that only make sense as they were at one moment.
 *
 * <p>Every file gets a second name, then the folder is listed again. If no file came, went or was
 * replaced in between, the second names are a state that a crash could have left; otherwise it is
 * done again. Files that grow are taken with the size they had in between. The list of tables is
 * copied, or the check of the cut would read in it of tables that came later. The last segment of a
 * journal is copied, up to its last whole record, after the sizes of all others were taken: a
 * store's own files never know more than its log. Only tables of rows come later still: one may be
 * half written when the rest is taken, and must be whole if the list of tables has it by then.
 *
 * <p>Some files must stay as they are while the others are measured, or that is done again too: a
 * delete lets bytes go and then the reference to them, so sizes from before the one and after the
 * other would be bytes without a reference, which are open to all.
 *
 * <p>Threading: owned by one thread.
 *
 * @param name what the names of its files begin with
 * @param from where they are
 * @param to where the second names go, on the same disk
 * @param wanted by path below {@code from}
 * @param steady those of them that may not grow while the others are measured
 */
record CutUnit(
    Disk disk, String name, Path from, Path to, Predicate<Path> wanted, Predicate<Path> steady) {
  /** Under load files change every few milliseconds at most, and a listing takes less. */
  private static final int TRIES_MAX = 500;

  private static final String TABLE = ".sst";
  private static final String LIST_OF_TABLES = "MANIFEST-";

  /** Nothing if the store is not there. */
  List<CutFile> take() throws IOException {
    if (!Files.isDirectory(from)) {
      return List.of();
    }
    for (int tries = 1; tries <= TRIES_MAX; tries++) {
      Map<Path, Object> before = Map.of();
      try {
        before = listed();
        before.keySet().forEach(this::link);
        Optional<Map<Path, Long>> sizes = sizes(before);
        if (sizes.isPresent() && listed().equals(before)) {
          return files(sizes.get());
        }
      } catch (NoSuchFileException _) {
        // It went between the list and the link.
      } catch (UncheckedIOException gone) {
        if (!(gone.getCause() instanceof NoSuchFileException)) {
          throw gone.getCause();
        }
      }
      for (Path file : before.keySet()) {
        Files.deleteIfExists(to.resolve(file));
      }
    }
    throw new IOException(
        "%s changed while it was listed, %d times in a row; try again when less is written"
            .formatted(from, TRIES_MAX));
  }

  private List<CutFile> files(Map<Path, Long> sizes) {
    return sizes.entrySet().stream()
        .map(
            file ->
                new CutFile(name + "/" + file.getKey(), to.resolve(file.getKey()), file.getValue()))
        .toList();
  }

  /** Files, and what tells one from another that took its name. */
  private Map<Path, Object> listed() throws IOException {
    var found = new TreeMap<Path, Object>();
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path below = from.relativize(file);
        if (!wanted.test(below)) {
          continue;
        }
        var attributes = Files.readAttributes(file, BasicFileAttributes.class);
        if (attributes.isRegularFile()) {
          found.put(below, Objects.requireNonNull(attributes.fileKey()));
        }
      }
    }
    return found;
  }

  private void link(Path file) {
    Path link = to.resolve(file);
    try {
      Files.createDirectories(Objects.requireNonNull(link.getParent()));
      Files.createLink(link, from.resolve(file));
    } catch (NoSuchFileException gone) {
      throw new UncheckedIOException(gone);
    } catch (IOException | UnsupportedOperationException linkless) {
      copy(file, link);
    }
  }

  private void copy(Path file, Path to) {
    try {
      Files.copy(from.resolve(file), to);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Empty if what must be steady was not. */
  private Optional<Map<Path, Long>> sizes(Map<Path, Object> files) throws IOException {
    var sizes = new TreeMap<Path, Long>();
    var first = new TreeMap<Path, Long>();
    sizes(files, steady, first);
    for (Path file : files.keySet()) {
      if (String.valueOf(file.getFileName()).startsWith(LIST_OF_TABLES)) {
        Files.delete(to.resolve(file));
        Files.copy(from.resolve(file), to.resolve(file));
      }
    }
    sizes(files, file -> !isTable(file) && !steady.test(file), sizes);
    for (Path segment : lastSegments(files)) {
      Path copy = to.resolve(segment);
      Files.delete(copy);
      SegmentCopy.run(disk, from.resolve(segment), copy);
      sizes.put(segment, Files.size(copy));
    }
    sizes(files, CutUnit::isTable, sizes);
    var last = new TreeMap<Path, Long>();
    sizes(files, steady, last);
    sizes.putAll(last);
    return last.equals(first) ? Optional.of(sizes) : Optional.empty();
  }

  private void sizes(Map<Path, Object> files, Predicate<Path> which, Map<Path, Long> sizes)
      throws IOException {
    for (Path file : files.keySet()) {
      if (which.test(file)) {
        sizes.put(file, Files.size(to.resolve(file)));
      }
    }
  }

  private static boolean isTable(Path file) {
    return file.toString().endsWith(TABLE);
  }

  /** The segments that journals write to: the last of each folder. */
  private static List<Path> lastSegments(Map<Path, Object> files) {
    var last = new TreeMap<Path, Path>();
    for (Path file : files.keySet()) {
      Path folder = file.getParent();
      if (folder != null && SegmentCopy.isSegment(file)) {
        last.put(folder, file); // in the order of their names
      }
    }
    return new ArrayList<>(last.values());
  }
}
