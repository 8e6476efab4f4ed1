package dev.ron.rewarder.epoch;

import dev.ron.blake3.Address;
import dev.ron.blake3.Hash;
import dev.ron.capability.caveat.Owner;
import dev.ron.decode.DecodeLimits;
import dev.ron.http.Refusal;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.time.Time;
import dev.ron.rewarder.RewarderFaultException;
import dev.ron.rewarder.artifact.AllocationWriter;
import dev.ron.rewarder.artifact.Artifacts;
import dev.ron.rewarder.core.Calculus;
import dev.ron.rewarder.core.Inputs;
import dev.ron.rewarder.core.LedgerInput;
import dev.ron.rewarder.core.Manifest;
import dev.ron.rewarder.core.Policy;
import dev.ron.rewarder.core.Quarantine;
import dev.ron.rewarder.core.Totals;
import dev.ron.rewarder.input.LedgerForm;
import dev.ron.rewarder.input.SealedInputs;
import dev.ron.rewarder.score.AccountingReader;
import dev.ron.rewarder.score.ParallelTally;
import dev.ron.rewarder.score.SpilledScores;
import dev.ron.rewarder.sign.PolicyForm;
import dev.ron.rewarder.sign.PolicyTrust;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * One run from its inputs to its manifest.
 *
 * <p>Threading: immutable; each run is led by one worker.
 *
 * @param tableBytesMax a worker's scores past this are spilled
 */
public record EpochComputation(
    SealedInputs inputs,
    Artifacts artifacts,
    Calculus calculus,
    Supplier<PolicyTrust> trust,
    EpochLog log,
    DecodeLimits limits,
    long tableBytesMax,
    Channel<ParallelTally.TallyPiece> pieces,
    Time time,
    RunSteps steps) {
  /** What was read before the accounting. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Documents(Policy policy, byte[] sealed, LedgerInput ledger) {}

  /**
   * @param draft the caller's to keep or to delete, also when this throws
   * @param stillWanted false once no request waits for the result; then the run is given up
   */
  ComputedRun run(PendingRun ticket, Path draft, BooleanSupplier stillWanted)
      throws IOException, InterruptedException {
    Instant begun = time.now();
    Inputs wanted = ticket.inputs();
    ticket.step("documents");
    SealedInputs sealed = inputs.forRun(ticket.runKey(), wanted.reader());
    Documents documents = documents(sealed, wanted, isAgreed(ticket));
    steps.did("documents-read");
    ticket.step("accounting");
    Policy policy = documents.policy();
    int pools = policy.pools().size();
    var spilled = new SpilledScores(artifacts.disk(), draft, pools);
    var reading =
        new ParallelTally(
            policy, spilled, tableBytesMax, pieces, ticket.lines(), stillWanted, time);
    AccountingReader.Outcome read =
        new AccountingReader(sealed, limits, draft).read(wanted.accounting(), reading);
    steps.did("accounting-read");
    ticket.step("allocation");
    Manifest manifest =
        read.bad().isPresent()
            ? Manifest.quarantined(wanted, read.bad().get())
            : allocate(ticket, documents, read.seals(), reading, draft);
    steps.did("allocated");
    artifacts.disk().delete(draft.resolve("scores"));
    artifacts.disk().delete(draft.resolve("parquet"));
    return new ComputedRun(
        manifest, draft, documents.sealed(), pools, Duration.between(begun, time.now()));
  }

  private boolean isAgreed(PendingRun ticket) throws IOException {
    return log.known(ticket.inputs().epoch())
        .filter(run -> run.runKey().equals(ticket.runKey()))
        .isPresent();
  }

  /**
   * @param agreed whether the epoch was closed with these inputs: the machine that did it trusted
   *     the policy, perhaps by a key of its own
   */
  private Documents documents(SealedInputs from, Inputs wanted, boolean agreed)
      throws IOException, InterruptedException {
    byte[] sealed = from.document(wanted.policy());
    byte[] pool = from.document(wanted.ledger());
    try {
      PolicyForm form = PolicyForm.parse(sealed);
      if (!agreed) {
        trust.get().check(form);
      }
      LedgerInput ledger = LedgerForm.parse(pool);
      if (!ledger.epoch().equals(Owner.plain(wanted.epoch()))) {
        throw RewarderFaultException.badInput(
            "the ledger input %s is for epoch %s"
                .formatted(wanted.ledger(), ledger.epoch().replaceAll("[^ -~]", "?")));
      }
      return new Documents(form.policy(), sealed, ledger);
    } catch (Refusal malformed) {
      throw RewarderFaultException.badInput(
          "a policy or ledger input: " + malformed.fault().detail());
    }
  }

  private Manifest allocate(
      PendingRun ticket,
      Documents documents,
      List<Address> seals,
      ParallelTally reading,
      Path draft)
      throws IOException {
    Policy policy = documents.policy();
    try (var writer = new AllocationWriter(artifacts.disk(), draft, policy.pools().size())) {
      Calculus.Outcome outcome = calculus.run(policy, documents.ledger(), reading.scores(), writer);
      Hash root = writer.finish();
      return switch (outcome) {
        case Calculus.Outcome.Closed(Totals totals) ->
            Manifest.closed(
                ticket.inputs(), ticket.dry(), policy, documents.ledger(), totals, root, seals);
        case Calculus.Outcome.Quarantined(Quarantine quarantine) ->
            Manifest.quarantined(ticket.inputs(), quarantine);
      };
    } catch (UncheckedIOException disk) {
      throw disk.getCause();
    }
  }
}
