package dev.ron.edge.pack;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The files and folders that the configuration names, looked at again and again.
 *
 * <p>A file whose name begins with a dot, or ends in anything but {@code .pmtiles} and {@code
 * .mbtiles}, is none of ours, so a pack can be brought in under such a name and renamed when it is
 * whole.
 *
 * <p>Threading: immutable.
 */
public record PackFolders(List<Path> places) {
  /** Packs of one node; a folder with more is a mistake. */
  private static final int FILES_MAX = 10_000;

  private static final int PROMISE_BYTES_MAX = 256;
  private static final Pattern NAME =
      Pattern.compile("([A-Za-z0-9_][A-Za-z0-9._-]{0,99})\\.(?:pmtiles|mbtiles)");

  public PackFolders {
    places = List.copyOf(places);
  }

  /** Every pack there is, by its name; of two with one name the first in order. */
  public SortedMap<String, PackFile> look() throws IOException {
    var found = new TreeMap<String, PackFile>();
    for (Path place : places) {
      if (Files.isDirectory(place)) {
        try (Stream<Path> entries = Files.list(place)) {
          for (Path file : entries.sorted().limit(FILES_MAX).toList()) {
            stat(file).ifPresent(pack -> found.putIfAbsent(pack.name(), pack));
          }
        }
      } else {
        stat(place).ifPresent(pack -> found.putIfAbsent(pack.name(), pack));
      }
    }
    return found;
  }

  /** The file as it is now; nothing if it is gone or none of ours. */
  public static Optional<PackFile> stat(Path file) throws IOException {
    var name = NAME.matcher(String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT));
    if (!name.matches()) {
      return Optional.empty();
    }
    try {
      BasicFileAttributes seen = Files.readAttributes(file, BasicFileAttributes.class);
      if (!seen.isRegularFile()) {
        return Optional.empty();
      }
      String original = file.getFileName().toString();
      return Optional.of(
          new PackFile(
              original.substring(0, original.lastIndexOf('.')),
              file,
              new PackFile.Stamp(
                  seen.size(), seen.lastModifiedTime().toMillis(), String.valueOf(seen.fileKey())),
              promise(file)));
    } catch (NoSuchFileException _) {
      return Optional.empty();
    }
  }

  private static Optional<String> promise(Path file) throws IOException {
    Path companion = file.resolveSibling(file.getFileName() + ".b3");
    if (!Files.isRegularFile(companion)) {
      return Optional.empty();
    }
    try (var in = Files.newInputStream(companion)) {
      byte[] text = in.readNBytes(PROMISE_BYTES_MAX);
      return Optional.of(new String(text, StandardCharsets.US_ASCII).strip());
    }
  }
}
