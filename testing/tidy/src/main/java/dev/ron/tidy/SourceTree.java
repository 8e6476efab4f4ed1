package dev.ron.tidy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The project as text: every file that belongs to it, in the order of its paths.
 *
 * <p>Threading: immutable but for what each file keeps; owned by the run that reads it.
 *
 * @param files the text files
 * @param paths every file, also those that are not text
 */
public record SourceTree(List<SourceFile> files, SortedSet<String> paths) {

  /** A tree of these files alone. */
  public static SourceTree of(SourceFile... files) {
    var sorted = Stream.of(files).sorted(Comparator.comparing(SourceFile::path)).toList();
    var paths = new TreeSet<String>();
    sorted.forEach(f -> paths.add(f.path()));
    return new SourceTree(sorted, paths);
  }

  /** Reads the project at this root. */
  public static SourceTree read(Path root) throws IOException {
    var paths = Listing.of(root);
    var files = new ArrayList<SourceFile>();
    for (String path : paths) {
      byte[] bytes = Files.readAllBytes(root.resolve(path));
      if (isText(bytes)) {
        files.add(SourceFile.of(path, new String(bytes, StandardCharsets.UTF_8)));
      }
    }
    return new SourceTree(List.copyOf(files), paths);
  }

  /** The file at exactly this path. */
  public Optional<SourceFile> file(String path) {
    return files.stream().filter(f -> f.path().equals(path)).findFirst();
  }

  /** Java that ships. */
  public List<SourceFile> mainJava() {
    return files.stream().filter(SourceFile::isMainJava).toList();
  }

  /** Whether a file, or a folder with something in it, is at this path. */
  public boolean exists(String path) {
    var after = paths.tailSet(path + "/");
    return path.isEmpty()
        || paths.contains(path)
        || (!after.isEmpty() && after.first().startsWith(path + "/"));
  }

  // The usual test, git's own too: text has no zero byte.
  private static boolean isText(byte[] bytes) {
    for (byte b : bytes) {
      if (b == 0) {
        return false;
      }
    }
    return true;
  }
}
