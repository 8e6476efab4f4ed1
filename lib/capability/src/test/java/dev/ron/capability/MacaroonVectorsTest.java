package dev.ron.capability;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ron.capability.caveat.Caveat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The public vectors of libmacaroons: a root key, the caveats a verifier accepts, a token, and
 * whether it must pass.
 */
class MacaroonVectorsTest {
  private record Vector(boolean authorized, String key, List<String> exact, String token) {
    static Vector read(Path file) throws IOException {
      boolean authorized = false;
      String key = "";
      String token = "";
      var exact = new ArrayList<String>();
      for (String line : Files.readAllLines(file, UTF_8)) {
        if (line.equals("authorized")) {
          authorized = true;
        } else if (line.startsWith("key ")) {
          key = line.substring(4);
        } else if (line.startsWith("exact ")) {
          exact.add(line.substring(6));
        } else if (!line.startsWith("#")
            && !line.startsWith("version ")
            && !line.equals("unauthorized")
            && !line.isBlank()) {
          token = line.strip();
        }
      }
      return new Vector(authorized, key, exact, token);
    }
  }

  @TestFactory
  Stream<DynamicTest> vectorsAgree() throws IOException {
    Path folder =
        Path.of(System.getProperty("ron.root", "."), "..", "shared", "vectors", "macaroons");
    assumeTrue(Files.isDirectory(folder), "NOT RUN: no public macaroon vectors in " + folder);
    List<Path> files;
    try (Stream<Path> list = Files.list(folder)) {
      files = list.filter(file -> file.toString().endsWith(".vtest")).sorted().toList();
    }
    assertThat(files).as("vectors in %s", folder).hasSizeGreaterThanOrEqualTo(4);
    return files.stream()
        .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> agrees(file)));
  }

  private static void agrees(Path file) throws IOException {
    Vector vector = Vector.read(file);
    var decoding = MacaroonCodec.decode(vector.token);
    assertThat(decoding).isInstanceOf(MacaroonCodec.Decoding.Decoded.class);
    Macaroon macaroon = ((MacaroonCodec.Decoding.Decoded) decoding).macaroon();
    assertThat(macaroon.signedWith(vector.key.getBytes(UTF_8))).as("signature").isTrue();
    assertThat(macaroon.signedWith("another key".getBytes(UTF_8))).isFalse();
    assertThat(vector.exact.containsAll(macaroon.caveatTexts())).isEqualTo(vector.authorized);
    assertThat(macaroon.token()).as("written again").isEqualTo(vector.token);
    Macaroon rebuilt =
        Macaroon.root(macaroon.location(), vector.key.getBytes(UTF_8), macaroon.identifier());
    for (Caveat caveat : macaroon.caveats()) {
      rebuilt = rebuilt.attenuate(caveat);
    }
    assertThat(rebuilt.token()).as("made from the key").isEqualTo(vector.token);
  }
}
