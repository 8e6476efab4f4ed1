package dev.ron.bench.process;

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

  /** As seen from a folder of programs; distributions differ in which of them they fill. */
  private static final List<String> LIBRARY_FOLDERS =
      List.of("../lib/" + machine() + "-linux-gnu", "../lib64", "../lib");

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

  /** A shared library in one of the library folders that stand beside the folders of programs. */
  public Optional<Path> findLibrary(String file) {
    return folders.stream()
        .flatMap(folder -> LIBRARY_FOLDERS.stream().map(folder::resolve))
        .map(folder -> folder.resolve(file).normalize())
        .filter(Files::isRegularFile)
        .findFirst();
  }

  public Optional<Path> find(String program) {
    return folders.stream()
        .map(folder -> folder.resolve(program))
        .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
        .findFirst();
  }

  /** The name that library folders have for the processor, which the JVM may call otherwise. */
  private static String machine() {
    String arch = System.getProperty("os.arch");
    return arch.equals("amd64") ? "x86_64" : arch;
  }
}
