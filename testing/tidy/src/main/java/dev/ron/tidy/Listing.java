package dev.ron.tidy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Which files belong to the project: those git knows or would add, else all that nothing built.
 *
 * <p>Git is asked first because files it ignores are not held to the style; a source archive has no
 * git.
 */
final class Listing {
  private static final Set<String> NOT_SOURCE =
      Set.of(".git", "target", "data", ".idea", ".vscode", ".jazzer");

  private Listing() {}

  /** Paths from the root, with forward slashes, sorted. */
  static SortedSet<String> of(Path root) throws IOException {
    var known = byGit(root);
    return known.isPresent() ? known.get() : byWalking(root);
  }

  static Optional<SortedSet<String>> byGit(Path root) throws IOException {
    if (!Files.exists(root.resolve(".git"))) {
      return Optional.empty();
    }
    var git =
        new ProcessBuilder("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
            .directory(root.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    // A hook sets these for its own repository, relative to a folder that is not ours.
    git.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
    Process process;
    try {
      process = git.start();
    } catch (IOException absent) {
      return Optional.empty();
    }
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.onExit().join().exitValue() != 0) {
      return Optional.empty();
    }
    var paths = new TreeSet<String>();
    for (String path : output.split("\0", -1)) {
      // Git still knows a file that was just deleted.
      if (!path.isEmpty() && Files.isRegularFile(root.resolve(path))) {
        paths.add(path);
      }
    }
    return paths.isEmpty() ? Optional.empty() : Optional.of(paths);
  }

  static SortedSet<String> byWalking(Path root) throws IOException {
    var paths = new TreeSet<String>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return !folder.equals(root) && NOT_SOURCE.contains(folder.getFileName().toString())
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            // In a git worktree .git is a file.
            if (attributes.isRegularFile() && !file.equals(root.resolve(".git"))) {
              paths.add(root.relativize(file).toString().replace('\\', '/'));
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return paths;
  }
}
