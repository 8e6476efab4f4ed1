package dev.ron.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.bench.process.Peer;
import dev.ron.bench.process.SearchPath;
import dev.ron.bench.run.BenchRun;
import dev.ron.bench.run.Benchmark;
import dev.ron.bench.run.Rounds;
import dev.ron.bench.run.Side;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BenchMainTest {
  /** Compares with a shell script that may be there or not; its figures are fixed. */
  private record Sample(String name) implements Benchmark {
    @Override
    public String what() {
      return "how a test runs";
    }

    @Override
    public List<Peer> peers(SearchPath searchPath) {
      return List.of(Peer.find(searchPath, "rival", "rival", "-v"));
    }

    @Override
    public void run(BenchRun run) throws IOException, InterruptedException {
      if (name.equals("broken")) {
        throw new IOException("the disk is full");
      }
      Peer rival = peers(run.searchPath()).getFirst();
      Side<Double> peer = () -> 4.0;
      Rounds<Double> rounds = run.interleave("x", () -> 2.0, rival.isPresent() ? peer : null);
      run.compare("only", "x/s", rival, rounds, value -> value);
    }
  }

  @TempDir Path folder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @Test
  void aPeerThatIsThereIsCompared() throws Exception {
    installRival();
    assertThat(run("sample", "--rounds", "3")).isEqualTo(BenchMain.OK);
    assertThat(out())
        .isEqualTo(
            "{\"bench\":\"sample\",\"case\":\"only\",\"ours\":2,\"peer\":4,\"peer_name\":\"rival\","
                + "\"unit\":\"x/s\",\"ratio\":0.5,\"rounds\":3,\"spread\":0}\n");
    assertThat(err()).as("quiet in a pipe").isEmpty();
  }

  @Test
  void aPeerThatIsNotThereIsAbsent() {
    assertThat(run("sample", "--rounds", "1")).isEqualTo(BenchMain.OK);
    assertThat(out())
        .contains("\"ours\":2,\"peer\":null", "\"ratio\":null")
        .contains("\"absent\":\"rival is not installed; apt-get install rival\"");
  }

  @Test
  void theListNamesBenchmarksAndPeers() throws Exception {
    assertThat(run("list")).isEqualTo(BenchMain.OK);
    assertThat(out())
        .isEqualTo(
            """
            sample  how a test runs
              beside nothing: rival is not installed; apt-get install rival
            broken  how a test runs
              beside nothing: rival is not installed; apt-get install rival
            """);
    installRival();
    out.reset();
    assertThat(run("list")).isEqualTo(BenchMain.OK);
    assertThat(out()).startsWith("sample  how a test runs\n  beside rival: rival 9\n");
    out.reset();
    assertThat(run("list", "--json")).isEqualTo(BenchMain.OK);
    assertThat(out())
        .startsWith(
            "{\"bench\":\"sample\",\"what\":\"how a test runs\",\"peer_name\":\"rival\","
                + "\"peer_version\":\"rival 9\"}\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          sampel                  | there is no benchmark sampel; did you mean sample?
          brokn                   | there is no benchmark brokn; did you mean broken?
          ''                      | did you mean
          sample --rounds         | --rounds needs a value
          sample --rounds 0       | --rounds takes a whole number from 1 to 101, not 0
          sample --rounds many    | --rounds takes a whole number from 1 to 101, not many
          sample --seconds 61     | --seconds takes a whole number from 1 to 60, not 61
          sample --fast           | unknown option --fast
          sample broken           | one name at a time: sample, broken
          sample --plot /none/p.svg | there is no folder for /none/p.svg
          --json                  | which benchmark?
          """)
  void misuseIsExplainedWithExitCodeTwo(String line, String message) {
    assertThat(run(line.split(" ", -1))).isEqualTo(BenchMain.MISUSED);
    assertThat(err()).contains(message);
    assertThat(out()).isEmpty();
  }

  @Test
  void aFailingBenchmarkFails() {
    assertThat(run("broken")).isEqualTo(BenchMain.FAILED);
    assertThat(err()).isEqualTo("ron bench: the disk is full\n");
  }

  @Test
  void aPlotIsWrittenWhenThereIsAPeerAndRefusedLoudlyWhenThereIsNone() throws Exception {
    Path plot = folder.resolve("p.svg");
    assertThat(run("sample", "--plot", plot.toString())).isEqualTo(BenchMain.FAILED);
    assertThat(err()).contains("no plot");
    assertThat(plot).doesNotExist();
    installRival();
    assertThat(run("sample", "--plot", plot.toString())).isEqualTo(BenchMain.OK);
    assertThat(Files.readString(plot)).contains("only (x/s) / rival");
  }

  @Test
  void aWatchingPersonSeesProgressOnStandardError() throws Exception {
    installRival();
    assertThat(main(true).run("sample", "--rounds", "1")).isEqualTo(BenchMain.OK);
    assertThat(err()).contains("rival: rival 9", "2/2", "ratio 0.500");
    assertThat(out().lines()).hasSize(1);
  }

  @Test
  void everyKnownBenchmarkHasANameAndALine() {
    assertThat(Benchmarks.known().all())
        .isNotEmpty()
        .allMatch(one -> one.name().matches("[a-z][a-z0-9-]*") && !one.what().contains("\n"));
    assertThat(Benchmarks.known().all())
        .extracting(Benchmark::name)
        .startsWith("flush", "blake3", "erasure", "http")
        .doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @CsvSource({"'','',0", "flush,flush,0", "flsh,flush,1", "kitten,sitting,3", "'',abc,3"})
  void editsAreCounted(String from, String to, int edits) {
    assertThat(Benchmarks.edits(from, to)).isEqualTo(edits);
  }

  private int run(String... args) {
    return main(false).run(args);
  }

  private BenchMain main(boolean watched) {
    return new BenchMain(
        new Benchmarks(List.of(new Sample("sample"), new Sample("broken"))),
        new SearchPath(List.of(folder)),
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        watched);
  }

  private void installRival() throws IOException {
    Path rival = folder.resolve("rival");
    Files.writeString(rival, "#!/bin/sh\necho rival 9\n");
    assertThat(rival.toFile().setExecutable(true)).isTrue();
  }

  private String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private String err() {
    return err.toString(StandardCharsets.UTF_8);
  }
}
