package dev.ron.rewarder.score;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.channel.Overflow;
import dev.ron.kernel.log.Log;
import dev.ron.rewarder.RewarderFaultException;
import dev.ron.rewarder.core.Policy;
import dev.ron.rewarder.core.Rounding;
import dev.ron.rewarder.core.ScoreCursor;
import dev.ron.rewarder.core.Wide;
import dev.ron.rewarder.core.score.LineFault;
import dev.ron.rewarder.core.score.Tally;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is summed up is everything that was handed out, or nothing is summed up. */
@Timeout(60)
final class ParallelTallyTest {
  @TempDir private Path folder;
  private final Scope scope = Scope.of("test", World.real(Log.silent()));
  private final AtomicBoolean wanted = new AtomicBoolean(true);
  private final AtomicLong lines = new AtomicLong();
  private int channels;
  private Tally keptBack;

  /** Ten lines, each of an actor of its own. */
  private record Lines(int from) implements AccountingPiece {
    @Override
    public LineFault count(Tally tally) {
      for (int i = from; i < from + 10; i++) {
        byte[] line = ("a" + i + ",m,1").getBytes(US_ASCII);
        int comma = line.length - 4;
        tally.line(line, 0, comma, comma + 1, comma + 2, comma + 3, comma + 4);
      }
      return null;
    }
  }

  private ParallelTally reading(Channel<ParallelTally.TallyPiece> offers) {
    var policy =
        new Policy(
            "p",
            1,
            Map.of("m", 1L),
            Rounding.FLOOR,
            Wide.ZERO,
            Optional.empty(),
            Optional.empty(),
            false,
            List.of());
    var spilled = new SpilledScores(scope.disk(), folder, 1);
    return new ParallelTally(policy, spilled, 1 << 20, offers, lines, wanted::get, scope.time());
  }

  private Channel<ParallelTally.TallyPiece> offers() {
    String name = "pieces-" + channels++;
    return Channel.bounded(scope, name, 8, Overflow.REJECT_NEW, ParallelTally.TallyPiece::drop);
  }

  private static long actors(ParallelTally reading) throws IOException {
    long count = 0;
    try (ScoreCursor cursor = reading.scores().open()) {
      while (cursor.next()) {
        count++;
      }
    }
    return count;
  }

  @Test
  void everyPieceCounts() throws Exception {
    var offers = offers();
    ParallelTally reading = reading(offers);
    reading.begin();
    for (int i = 0; i < 20; i++) {
      assertThat(reading.offer(new Lines(10 * i))).isTrue();
    }
    assertThat(reading.end(0)).isEmpty();
    assertThat(actors(reading)).isEqualTo(200);
    assertThat(lines).hasValue(200);
  }

  /** A helper that dies takes its tally along, with all pieces it counted before. */
  @Test
  void anErrorOfAHelperFailsTheRunAndTheHelper() throws Exception {
    for (Error planted :
        List.of(
            new OutOfMemoryError("planted"),
            new StackOverflowError("planted"),
            new AssertionError("planted"))) {
      var offers = offers();
      ParallelTally reading = reading(offers);
      reading.begin();
      reading.offer(new Lines(0));
      reading.offer(
          _ -> {
            throw planted;
          });
      offers.tryReceive().count();
      ParallelTally.TallyPiece bad = offers.tryReceive();
      assertThatThrownBy(bad::count).isSameAs(planted);
      assertThatThrownBy(() -> reading.end(0)).isInstanceOf(IOException.class).hasCause(planted);
    }
  }

  @Test
  void linesThatNoPieceAccountsForAreNoticed() throws Exception {
    var offers = offers();
    ParallelTally reading = reading(offers);
    reading.begin();
    reading.offer(
        tally -> {
          keptBack = tally;
          return new Lines(0).count(tally);
        });
    assertThat(reading.end(0)).isEmpty();
    // A line that no piece accounts for.
    keptBack.line("y".getBytes(US_ASCII), 0, 1, 0, 1L);
    assertThatThrownBy(reading::scores)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("11 of 10 lines");
  }

  @Test
  void aPieceThatAShutdownDropsFailsTheRun() throws Exception {
    var offers = offers();
    ParallelTally reading = reading(offers);
    reading.begin();
    reading.offer(new Lines(0));
    offers.abandon();
    assertThatThrownBy(() -> reading.end(0)).hasMessageContaining("shutting down");
  }

  @Test
  void whatHasNoTakerIsGivenUp() throws Exception {
    ParallelTally reading = reading(offers());
    reading.begin();
    assertThat(reading.offer(new Lines(0))).isTrue();
    wanted.set(false);
    assertThatThrownBy(() -> reading.offer(new Lines(10)))
        .isInstanceOf(RewarderFaultException.class);
  }
}
