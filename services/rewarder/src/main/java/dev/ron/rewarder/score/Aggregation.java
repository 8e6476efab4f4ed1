package dev.ron.rewarder.score;

import dev.ron.blake3.Address;
import dev.ron.decode.DecodeLimits;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.channel.Overflow;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.kernel.supervise.Tree;
import dev.ron.rewarder.core.Policy;
import dev.ron.rewarder.core.Quarantine;
import dev.ron.rewarder.core.ScoreCursor;
import dev.ron.rewarder.input.SealedInputs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Adds up one accounting input without a service around it: for measurements, and for comparing
 * with other engines.
 *
 * <p>Threading: one at a time; helpers run while {@link #run} does.
 *
 * @param folder where scores are spilled
 */
public record Aggregation(
    Scope scope, SealedInputs inputs, Policy policy, int workers, long memoryBytes, Path folder) {
  private static final DecodeLimits LIMITS =
      new DecodeLimits(1L << 40, 1000, DecodeLimits.WINDOW_BYTES_DEFAULT);

  /** The scores in the order of actors, and how many lines they come from. */
  public record Scores(ScoreCursor.Source source, long lines) {}

  public Scores run(Address address) throws Exception {
    Channel<ParallelTally.TallyPiece> pieces =
        Channel.bounded(
            scope, "pieces", workers, Overflow.REJECT_NEW, ParallelTally.TallyPiece::drop);
    Supervisor helpers =
        Supervisor.named("aggregation")
            .computing(
                "helper",
                workers - 1,
                Restart.NEVER,
                () ->
                    _ -> {
                      ParallelTally.TallyPiece piece = pieces.tryReceive();
                      if (piece == null) {
                        return Next.await(pieces);
                      }
                      piece.count();
                      return Next.again();
                    });
    Tree tree = helpers.start(scope);
    try {
      return read(address, pieces);
    } finally {
      tree.drain();
    }
  }

  private Scores read(Address address, Channel<ParallelTally.TallyPiece> pieces)
      throws IOException, InterruptedException {
    var lines = new AtomicLong();
    scope.disk().createFolders(folder);
    var spilled = new SpilledScores(scope.disk(), folder, policy.pools().size());
    var reading =
        new ParallelTally(
            policy, spilled, memoryBytes / workers, pieces, lines, () -> true, scope.time());
    Optional<Quarantine> bad =
        new AccountingReader(inputs, LIMITS, folder).read(address, reading).bad();
    if (bad.isPresent()) {
      throw new IOException(bad.get().detail());
    }
    return new Scores(reading.scores(), lines.get());
  }
}
