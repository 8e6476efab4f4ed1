package dev.ron.rewarder.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.capability.caveat.Owner;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who gets an epoch. */
final class RunBookTest {
  private final RunBook book = new RunBook();

  private static Inputs inputs(String epoch, String accounting) {
    Address same = new Address(Blake3.hash(new byte[] {1}));
    Address one =
        new Address(Blake3.hash(accounting.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
    return new Inputs(epoch, one, same, same, Owner.OPERATOR);
  }

  private String ask(String epoch, String accounting, boolean dry) {
    return switch (book.ask(epoch, RunKey.of(inputs(epoch, accounting)).hex(), dry)) {
      case RunBook.Decision.Start _ -> "start";
      case RunBook.Decision.Running _ -> "running";
      case RunBook.Decision.Known _ -> "known";
      case RunBook.Decision.OtherInputs _ -> "other inputs";
      case RunBook.Decision.Quarantined _ -> "quarantined";
    };
  }

  private void close(String epoch, String accounting, boolean dry) {
    Policy policy =
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
    var totals =
        new Totals(Wide.ZERO, List.of(Wide.ZERO), 0, 0, 0, Wide.ZERO, Wide.ZERO, Residual.NONE);
    book.done(
        dry,
        Manifest.closed(
            inputs(epoch, accounting),
            dry,
            policy,
            new LedgerInput(Wide.ZERO, "ROC", epoch),
            totals,
            MerkleTree.empty(),
            List.of()));
  }

  private void quarantine(String epoch, String accounting) {
    book.done(
        false,
        Manifest.quarantined(
            inputs(epoch, accounting), new Quarantine(Quarantine.Reason.BAD_LINE, "line 1")));
  }

  @Test
  void anEpochBelongsToTheFirstInputs() {
    assertThat(ask("e1", "a", false)).isEqualTo("start");
    assertThat(ask("e1", "a", false)).isEqualTo("running");
    assertThat(ask("e1", "b", false)).isEqualTo("other inputs");
    assertThat(ask("e2", "b", false)).isEqualTo("start");
    close("e1", "a", false);
    assertThat(ask("e1", "a", false)).isEqualTo("known");
    assertThat(ask("e1", "b", false)).isEqualTo("other inputs");
  }

  @Test
  void aFailedRunClaimsNothing() {
    assertThat(ask("e", "a", false)).isEqualTo("start");
    book.failed("e", RunKey.of(inputs("e", "a")).hex(), false);
    assertThat(ask("e", "b", false)).isEqualTo("start");
  }

  @Test
  void aRunInDoubtKeepsItsEpochAndMayBeAskedForAgain() {
    assertThat(ask("e", "a", false)).isEqualTo("start");
    String key = RunKey.of(inputs("e", "a")).hex();
    book.inDoubt(key);
    assertThat(book.shown("e")).isEmpty();
    assertThat(ask("e", "b", false)).isEqualTo("other inputs");
    assertThat(ask("e", "a", false)).isEqualTo("start");
    book.failed("e", key, false);
    assertThat(ask("e", "b", false)).as("the next try failed").isEqualTo("other inputs");
    assertThat(ask("e", "a", false)).isEqualTo("start");
    close("e", "a", false);
    assertThat(ask("e", "a", false)).isEqualTo("known");
    assertThat(book.closed(0).orElseThrow().runKey()).isEqualTo(key);
    assertThat(book.closed(1)).isEmpty();
  }

  @Test
  void aQuarantinedRunStaysSoButItsEpochCanBeMended() {
    assertThat(ask("e", "a", false)).isEqualTo("start");
    quarantine("e", "a");
    assertThat(ask("e", "a", false)).isEqualTo("quarantined");
    assertThat(ask("e", "a", true)).isEqualTo("quarantined");
    assertThat(ask("e", "b", false)).isEqualTo("start");
    close("e", "b", false);
    assertThat(ask("e", "a", false)).isEqualTo("quarantined");
    assertThat(book.shown("e").orElseThrow().manifest().status()).isEqualTo(RunStatus.CLOSED);
  }

  @Test
  void aDryRunClaimsNothing() {
    assertThat(ask("e", "a", true)).isEqualTo("start");
    close("e", "a", true);
    assertThat(ask("e", "a", true)).isEqualTo("known");
    assertThat(ask("e", "b", false)).isEqualTo("start");
    assertThat(ask("e", "a", false)).isEqualTo("other inputs");
  }
}
