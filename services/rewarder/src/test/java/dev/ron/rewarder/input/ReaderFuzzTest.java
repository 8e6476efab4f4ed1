package dev.ron.rewarder.input;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.ron.http.Refusal;
import dev.ron.kernel.disk.DiskFile;
import dev.ron.rewarder.RewarderFaultException;
import dev.ron.rewarder.core.LedgerInput;
import dev.ron.rewarder.core.Policy;
import dev.ron.rewarder.core.Rounding;
import dev.ron.rewarder.core.ScoreCursor;
import dev.ron.rewarder.core.Wide;
import dev.ron.rewarder.core.score.LineFault;
import dev.ron.rewarder.core.score.SortedScores;
import dev.ron.rewarder.core.score.Tally;
import dev.ron.rewarder.file.AmnesiaDisk;
import dev.ron.rewarder.input.parquet.ParquetFooter;
import dev.ron.rewarder.input.parquet.ParquetRows;
import dev.ron.rewarder.sign.PolicyForm;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Whatever bytes an input has, they are read in one way or refused.
 *
 * <p>Every build replays the corpus in {@code src/test/resources/dev/ron/rewarder/wire/
 * ReaderFuzzTestInputs/<method>}. To fuzz, one target for each JVM:
 *
 * <pre>
 * JAZZER_FUZZ=1 ./mvnw -Dron.fuzz.hooks=true -pl services/rewarder -am verify -Dtest='ReaderFuzzTest#csv' -Dsurefire.failIfNoSpecifiedTests=false
 * </pre>
 */
class ReaderFuzzTest {
  private static final Policy POLICY =
      new Policy(
          "p",
          1,
          Map.of("m", 1L, "bytes_served", 2L),
          Rounding.FLOOR,
          Wide.ZERO,
          Optional.empty(),
          Optional.empty(),
          true,
          List.of());

  /** A line alone is looked at closely; among others it is read in one pass. Both must agree. */
  @FuzzTest(maxDuration = "2m")
  void csv(byte[] bytes) {
    byte[] header = "actor,metric,units".getBytes(UTF_8);
    CsvScanner csv = CsvScanner.forHeader(header, 0, header.length).orElseThrow();
    inOneWay(csv::copy, bytes);
    byte[] sharded = "actor,metric,units,shard".getBytes(UTF_8);
    CsvScanner four = CsvScanner.forHeader(sharded, 0, sharded.length).orElseThrow();
    inOneWay(four::copy, bytes);
  }

  @FuzzTest(maxDuration = "2m")
  void jsonLines(byte[] bytes) {
    inOneWay(JsonLineScanner::new, bytes);
  }

  /**
   * What is read is a policy in itself: its numbers are within their bounds, and it says so again.
   */
  @FuzzTest(maxDuration = "2m")
  void policy(byte[] bytes) {
    PolicyForm form;
    try {
      form = PolicyForm.parse(bytes);
    } catch (Refusal refused) {
      assertThat(refused.fault().detail()).isNotBlank();
      return;
    }
    assertThat(form.policy().pools()).isNotEmpty();
    form.policy()
        .weightsPpm()
        .forEach((metric, weight) -> assertThat(weight).as(metric).isBetween(0L, (1L << 31) - 1));
    assertThat(new String(form.signed().bytes(), UTF_8)).contains("\"weights_ppm\"");
  }

  @FuzzTest(maxDuration = "2m")
  void ledger(byte[] bytes) {
    try {
      LedgerInput input = LedgerForm.parse(bytes);
      assertThat(input.pool()).isGreaterThanOrEqualTo(Wide.ZERO);
    } catch (Refusal refused) {
      assertThat(refused.fault().detail()).isNotBlank();
    }
  }

  @FuzzTest(maxDuration = "2m")
  void parquet(byte[] bytes) throws IOException {
    var disk = new AmnesiaDisk(64 << 20);
    Path path = Path.of("/f");
    try (DiskFile file = disk.open(path)) {
      file.write(ByteBuffer.wrap(bytes), 0);
      var tally = new Tally(POLICY, 1 << 20);
      for (ParquetFooter.RowGroup group : ParquetFooter.read(file).rowGroups()) {
        ParquetRows.read(file, group, tally);
      }
      scores(tally);
    } catch (RewarderFaultException refused) {
      assertThat(refused.getMessage()).isNotBlank();
    }
  }

  private static void inOneWay(Supplier<LineScanner> scanner, byte[] bytes) {
    var together = new Tally(POLICY, 1 << 20);
    LineFault fault = scanner.get().scan(bytes, 0, bytes.length, together);
    var alone = new Tally(POLICY, 1 << 20);
    LineFault first = null;
    long number = 0;
    for (int at = 0; at < bytes.length && first == null; number++) {
      int end = at;
      while (end < bytes.length && bytes[end] != '\n') {
        end++;
      }
      byte[] line = Arrays.copyOfRange(bytes, at, end);
      first =
          line.length == 0
              ? scanner.get().scan(new byte[] {'\n'}, 0, 1, alone)
              : scanner.get().scan(line, 0, line.length, alone);
      first = first == null ? null : first.after(number);
      at = end + 1;
    }
    assertThat(fault).isEqualTo(first);
    assertThat(scores(together)).isEqualTo(scores(alone));
    assertThat(together.lines()).isEqualTo(alone.lines());
  }

  private static Map<String, String> scores(Tally tally) {
    var scores = new TreeMap<String, String>();
    try (ScoreCursor cursor = new SortedScores(tally.scores()).open()) {
      while (cursor.next()) {
        String actor =
            new String(
                cursor.actorBuffer(), cursor.actorOffset(), cursor.actorLength(), ISO_8859_1);
        assertThat(scores.put(actor, cursor.score(0) + " " + cursor.badLines())).isNull();
      }
    }
    return scores;
  }
}
