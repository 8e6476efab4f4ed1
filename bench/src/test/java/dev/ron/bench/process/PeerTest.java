package dev.ron.bench.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PeerTest {
  @TempDir Path folder;

  @Test
  void aProgramOnThePathIsFoundWithItsVersion() throws Exception {
    program("fakeserver", "rwxr-xr-x");
    Peer peer = Peer.find(new SearchPath(List.of(folder)), "fakeserver", "fake", "-v");
    assertThat(peer.isPresent()).isTrue();
    assertThat(peer.command()).isEqualTo(folder.resolve("fakeserver").toString());
    assertThat(peer.version()).isEqualTo("fakeserver 1.2 -v");
  }

  @Test
  void anAbsentProgramSaysHowToInstallIt() {
    Peer peer = Peer.find(new SearchPath(List.of(folder)), "h2load", "nghttp2-client", "-v");
    assertThat(peer.isPresent()).isFalse();
    assertThat(peer.absence()).isEqualTo("h2load is not installed; apt-get install nghttp2-client");
    assertThatThrownBy(peer::command).hasMessage(peer.absence());
    assertThatThrownBy(peer::version).hasMessage(peer.absence());
  }

  @Test
  void onlyProgramsCountAndTheFirstFolderWins() throws Exception {
    Path second = Files.createDirectory(folder.resolve("second"));
    program("plain", "rw-r--r--");
    Files.createDirectory(folder.resolve("directory"));
    program("twice", "rwxr-xr-x");
    program("second/twice", "rwxr-xr-x");
    program("second/plain", "rwxr-xr-x");
    var path = new SearchPath(List.of(folder.resolve("missing"), folder, second));
    assertThat(path.find("plain")).contains(second.resolve("plain"));
    assertThat(path.find("directory")).isEmpty();
    assertThat(path.find("twice")).contains(folder.resolve("twice"));
  }

  @Test
  void relativeFoldersAreLeftOutAndServerFoldersAdded() {
    assertThat(SearchPath.of("/opt/bin::.:bin:/usr/bin:/opt/bin").folders())
        .map(Path::toString)
        .containsExactly("/opt/bin", "/usr/bin", "/usr/local/sbin", "/usr/sbin", "/sbin");
  }

  @Test
  void aLibraryIsFoundBesideTheFolderOfProgramsAndNamesItsVersion() throws Exception {
    Path programs = Files.createDirectory(folder.resolve("bin"));
    Path libraries = Files.createDirectory(folder.resolve("lib"));
    var path = new SearchPath(List.of(programs));
    Peer absent = Peer.findLibrary(path, "fake", "libfake.so.2", "libfake2");
    assertThat(absent.isPresent()).isFalse();
    assertThat(absent.absence()).isEqualTo("fake is not installed; apt-get install libfake2");

    Path real = Files.createFile(libraries.resolve("libfake.so.2.1.7"));
    Files.createSymbolicLink(libraries.resolve("libfake.so.2"), real);
    Peer present = Peer.findLibrary(path, "fake", "libfake.so.2", "libfake2");
    assertThat(present.command()).isEqualTo(libraries.resolve("libfake.so.2").toString());
    assertThat(present.version()).isEqualTo("libfake.so.2.1.7");
  }

  @Test
  void codeOfThisJvmIsAlwaysThere() throws Exception {
    assertThat(Peer.inThisJvm("loop").version()).contains(" " + Runtime.version().feature());
  }

  private void program(String name, String permissions) throws Exception {
    Path file = folder.resolve(name);
    Files.writeString(file, "#!/bin/sh\necho fakeserver 1.2 \"$@\"\necho more\nexit 3\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
  }
}
