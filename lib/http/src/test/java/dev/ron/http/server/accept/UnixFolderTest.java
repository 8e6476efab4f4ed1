package dev.ron.http.server.accept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.http.server.Bind;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A socket gets a folder of its own; a folder that was there is never given other rights. */
final class UnixFolderTest {
  private static final int ANOTHER = 12_345;
  @TempDir Path temp;

  private static String rights(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  private Path folder(String rights) throws IOException {
    Path folder = Files.createDirectory(temp.resolve("there"));
    return Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(rights));
  }

  private static int own() throws IOException {
    return (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
  }

  @Test
  void aSharedFolderIsRefusedAndLeftAsItIs() throws Exception {
    for (String shared : new String[] {"rwxrwxrwx", "rwxrwxr-x", "rwx-w----"}) {
      Path folder = folder(shared);
      assertThatThrownBy(
              () -> UnixFolder.prepare(new Bind.Unix(folder.resolve("s"), Set.of(own()))))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(folder.toString())
          .hasMessageContaining(folder.resolve("ron/s").toString());
      assertThat(rights(folder)).isEqualTo(shared);
      Files.delete(folder);
    }
  }

  @Test
  void aFolderOfOursIsTakenAsItIs() throws Exception {
    Path folder = folder("rwxr-xr-x");
    UnixFolder.prepare(new Bind.Unix(folder.resolve("s"), Set.of(own())));
    assertThat(rights(folder)).isEqualTo("rwxr-xr-x");
  }

  @Test
  void aFolderThatIsMissingIsMadeWithTheRightsItsCallersNeed() throws Exception {
    Path mine = temp.resolve("a/mine/s");
    UnixFolder.prepare(new Bind.Unix(mine, Set.of(own())));
    assertThat(rights(temp.resolve("a/mine"))).isEqualTo("rwx------");
    Path others = temp.resolve("a/others/s");
    var bind = new Bind.Unix(others, Set.of(own(), ANOTHER));
    UnixFolder.prepare(bind);
    assertThat(rights(temp.resolve("a/others"))).isEqualTo("rwx--x--x");
    Files.createFile(others);
    UnixFolder.restrict(bind);
    assertThat(rights(others)).isEqualTo("rw-rw-rw-");
  }

  @Test
  void theSocketOfAnOpenDoorStaysAndOneThatWasLeftGoes() throws Exception {
    Path socket = folder("rwx------").resolve("s");
    var bind = new Bind.Unix(socket, Set.of(own()));
    try (var open = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      open.bind(UnixDomainSocketAddress.of(socket));
      assertThatThrownBy(() -> UnixFolder.prepare(bind))
          .hasMessage(socket + " is the socket of a door that is open; name another");
      assertThat(socket).exists();
    }
    UnixFolder.prepare(bind);
    assertThat(socket).doesNotExist();
  }

  @Test
  void aFileInThePlaceOfTheSocketStays() throws Exception {
    Path folder = folder("rwx------");
    Path file = Files.writeString(folder.resolve("s"), "precious");
    assertThatThrownBy(() -> UnixFolder.prepare(new Bind.Unix(file, Set.of(own()))))
        .hasMessageContaining("is not a socket");
    assertThat(file).hasContent("precious");
  }
}
