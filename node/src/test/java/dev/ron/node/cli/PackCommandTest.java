package dev.ron.node.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.node.Ron;
import dev.ron.tilepack.sample.SamplePack;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ron pack}, without a running edge. */
final class PackCommandTest {
  @TempDir private Path folder;

  @Test
  void aGoodPackTellsItsAddressAndABadOneWhatIsWrong() throws Exception {
    Path good = Files.write(folder.resolve("a.pmtiles"), SamplePack.bytes());
    String address = new Address(Blake3.hash(SamplePack.bytes())).toString();
    assertThat(run("pack", "verify", good.toString())).startsWith("0 ").contains(address);
    assertThat(run("pack", "verify", good.toString(), "--address", address)).startsWith("0 ");
    assertThat(
            run(
                "pack",
                "verify",
                good.toString(),
                "--address",
                new Address(Blake3.hash(new byte[0])).toString()))
        .startsWith("1 ")
        .contains("pack-address");
    Path bad = Files.write(folder.resolve("b.pmtiles"), new byte[200]);
    assertThat(run("pack", "verify", bad.toString())).startsWith("1 ").contains("pack-unknown");
    assertThat(run("pack", "verify", folder.resolve("none").toString())).startsWith("1 ");
  }

  @Test
  void mountingPutsAWholePackIntoTheFolderAndRefusesOthers() throws Exception {
    Path good = Files.write(folder.resolve("given"), SamplePack.bytes());
    Path packs = folder.resolve("packs");
    assertThat(
            run("pack", "mount", good.toString(), "--folder", packs.toString(), "--name", "isles"))
        .startsWith("0 ");
    assertThat(packs.resolve("isles.pmtiles")).hasBinaryContent(SamplePack.bytes());
    Path bad = Files.write(folder.resolve("bad"), new byte[9]);
    assertThat(run("pack", "mount", bad.toString(), "--folder", packs.toString())).startsWith("1 ");
    try (var files = Files.list(packs)) {
      assertThat(files).hasSize(1);
    }
  }

  @Test
  void aVerifiedPackIsToldToAProgramToo() throws Exception {
    Path good = Files.write(folder.resolve("given"), SamplePack.bytes());
    assertThat(run("pack", "verify", "--json", good.toString()))
        .matches(
            "0 \\{\"address\":\"b3:[0-9a-f]{64}\",\"format\":\"pmtiles\",\"tiles\":\"[a-z]+\",.*"
                + "\"zoom_min\":\\d+,\"zoom_max\":\\d+,\"bytes\":%d}\n"
                    .formatted(SamplePack.bytes().length));
  }

  @Test
  void theSampleIsWrittenAsItShips() throws Exception {
    Path file = folder.resolve("isles.pmtiles");
    assertThat(run("pack", "make-sample", file.toString())).startsWith("0 address  ");
    assertThat(file).hasBinaryContent(SamplePack.bytes());
  }

  private static String run(String... args) {
    PrintStream out = System.out;
    PrintStream err = System.err;
    var said = new ByteArrayOutputStream();
    try (var both = new PrintStream(said, true, StandardCharsets.UTF_8)) {
      System.setOut(both);
      System.setErr(both);
      return Ron.run(args) + " " + said.toString(StandardCharsets.UTF_8);
    } finally {
      System.setOut(out);
      System.setErr(err);
    }
  }
}
