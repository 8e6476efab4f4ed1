package dev.ron.testkit;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The files and folders under a folder that a running service writes to.
 *
 * <p>{@link Files#walk} throws when a file is renamed between being listed and being looked at,
 * which a service does with every snapshot. Such a file is left out here.
 */
public final class LiveFiles {
  private LiveFiles() {}

  /** In the order of their paths; folders too. */
  public static List<Path> under(Path folder) throws IOException {
    var found = new ArrayList<Path>();
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) {
            found.add(path);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) {
            found.add(path);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path path, IOException why) throws IOException {
            if (why instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw why;
          }
        });
    Collections.sort(found);
    return found;
  }
}
