package dev.ron.http.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * A socket's folder, open to its owner only: the folder is what keeps others out, because between
 * binding and restricting a socket there is always a moment.
 */
final class UnixFolder {
  private UnixFolder() {}

  static void prepare(Path socket) throws IOException {
    Path folder = socket.getParent();
    if (folder == null) {
      throw new IOException("the socket " + socket + " has no folder");
    }
    Files.createDirectories(folder);
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    // What an earlier process left behind would make the bind fail.
    Files.deleteIfExists(socket);
  }

  static void restrict(Path socket) throws IOException {
    Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-------"));
  }

  static void remove(Path socket) {
    try {
      Files.deleteIfExists(socket);
    } catch (IOException _) {
      // the next start removes it
    }
  }
}
