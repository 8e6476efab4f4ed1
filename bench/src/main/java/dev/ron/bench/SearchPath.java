package dev.ron.bench;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The folders in which peers are looked for.
 *
 * <p>Threading: immutable.
 */
public record SearchPath(List<Path> folders) {
  private static final Pattern SEPARATOR = Pattern.compile(Pattern.quote(File.pathSeparator));

  /** Servers live in sbin folders, which are often not on the PATH of an ordinary user. */
  private static final List<String> SERVER_FOLDERS =
      List.of("/usr/local/sbin", "/usr/sbin", "/sbin");

  public SearchPath {
    folders = List.copyOf(folders);
  }

  /** The PATH of this process and the folders of servers. */
  public static SearchPath ofMachine() {
    return of(System.getenv().getOrDefault("PATH", ""));
  }

  static SearchPath of(String path) {
    Set<Path> folders = new LinkedHashSet<>();
    List<String> names = new ArrayList<>(SEPARATOR.splitAsStream(path).toList());
    names.addAll(SERVER_FOLDERS);
    for (String name : names) {
      // A relative entry would run whatever lies in the current folder.
      if (name.startsWith("/")) {
        folders.add(Path.of(name));
      }
    }
    return new SearchPath(List.copyOf(folders));
  }

  public Optional<Path> find(String program) {
    return folders.stream()
        .map(folder -> folder.resolve(program))
        .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
        .findFirst();
  }
}
