package dev.ron.http.server.accept;

import dev.ron.http.server.Bind;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * A socket's folder, which no other user can write to: otherwise another could put a socket of its
 * own in the place of ours.
 *
 * <p>A folder that is not there is made, with the rights it needs. One that is there keeps its
 * rights, because others may use it too; if they are too wide the server does not start.
 */
public final class UnixFolder {
  private static final String OWNER_ONLY = "rwx------";

  /** Others may go through to a socket whose name they know, and see nothing. */
  private static final String PASSAGE = "rwx--x--x";

  private UnixFolder() {}

  public static void prepare(Bind.Unix bind) throws IOException {
    Path socket = bind.socket();
    Path folder = socket.getParent();
    if (folder == null || folder.getParent() == null) {
      throw new IOException("the socket " + socket + " has no folder of its own");
    }
    Files.createDirectories(folder.getParent());
    boolean made = made(folder, othersConnect(bind) ? PASSAGE : OWNER_ONLY);
    if (!made && isShared(folder)) {
      throw new IOException(
          ("the folder %s of the socket %s belongs to others or can be written by them; name one of"
                  + " its own, such as %s, which is made at the start")
              .formatted(folder, socket, folder.resolve("ron").resolve(socket.getFileName())));
    }
    removeSocket(socket);
  }

  private static boolean made(Path folder, String rights) throws IOException {
    try {
      Files.createDirectory(folder);
    } catch (FileAlreadyExistsException there) {
      return false;
    }
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(rights));
    return true;
  }

  /** A link counts as what it leads to. */
  private static boolean isShared(Path folder) throws IOException {
    Set<PosixFilePermission> rights = Files.getPosixFilePermissions(folder);
    int owner = uid(folder);
    return (owner != 0 && owner != ownUid())
        || rights.contains(PosixFilePermission.GROUP_WRITE)
        || rights.contains(PosixFilePermission.OTHERS_WRITE);
  }

  /**
   * What an earlier process left behind would make the bind fail; what is no socket stays, and so
   * does one at which another door answers, of this process or of another.
   */
  private static void removeSocket(Path socket) throws IOException {
    if (Files.exists(socket, LinkOption.NOFOLLOW_LINKS)
        && !Boolean.TRUE.equals(Files.getAttribute(socket, "isOther", LinkOption.NOFOLLOW_LINKS))) {
      throw new IOException(socket + " is there and is not a socket; remove it or name another");
    }
    if (isAnswered(socket)) {
      throw new IOException(socket + " is the socket of a door that is open; name another");
    }
    Files.deleteIfExists(socket);
  }

  private static boolean isAnswered(Path socket) {
    try (SocketChannel _ = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      return true;
    } catch (IOException _) {
      return false; // nothing listens there, or there is none
    }
  }

  /**
   * The server asks the system for the user of each connection; these rights only let a process
   * connect.
   */
  public static void restrict(Bind.Unix bind) throws IOException {
    String rights = othersConnect(bind) ? "rw-rw-rw-" : "rw-------";
    Files.setPosixFilePermissions(bind.socket(), PosixFilePermissions.fromString(rights));
  }

  private static boolean othersConnect(Bind.Unix bind) throws IOException {
    int own = ownUid();
    return bind.allowedUids().stream().anyMatch(uid -> uid != 0 && uid != own);
  }

  private static int ownUid() throws IOException {
    return uid(Path.of("/proc/self"));
  }

  private static int uid(Path path) throws IOException {
    return (Integer) Files.getAttribute(path, "unix:uid");
  }

  public static void remove(Path socket) {
    try {
      Files.deleteIfExists(socket);
    } catch (IOException _) {
      // the next start removes it
    }
  }
}
