package dev.ron.mailbox.cluster.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.mailbox.core.message.DeadLetterReason;
import dev.ron.mailbox.core.message.Fact;
import dev.ron.mailbox.core.message.Receipt;
import dev.ron.mailbox.core.message.Ulid;
import dev.ron.mailbox.journal.ReplicationMode;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What goes to the journal of a single machine, and what to those of a cluster. */
final class ReplicationModeTest {
  private static final Ulid ID = new Ulid(0, 1);

  private final LeaderTerms cluster =
      new LeaderTerms(Scope.of("mailbox", World.real(Log.silent())), 0);

  @Test
  void aLeaseIsKeptOnlyWhereTheNextLeaderHasToHonourIt() {
    assertThat(
            Stream.of(
                    new Fact.Leased(ID, new Receipt(1), 1000),
                    new Fact.Extended(ID, 2000),
                    new Fact.Woken(ID),
                    new Fact.Returned(ID, 1, 0, "no"),
                    new Fact.Acked(ID, 1),
                    new Fact.Died(ID, 5, DeadLetterReason.MAX_ATTEMPTS, "no", 1),
                    new Fact.Revived(ID, 0, 1),
                    new Fact.Dropped(ID))
                .map(
                    fact ->
                        "%s alone %s cluster %s"
                            .formatted(
                                fact.getClass().getSimpleName(),
                                ReplicationMode.ALONE.keeps(fact),
                                cluster.keeps(fact))))
        .containsExactly(
            "Leased alone false cluster true",
            "Extended alone false cluster true",
            "Woken alone false cluster false",
            "Returned alone true cluster true",
            "Acked alone true cluster true",
            "Died alone true cluster true",
            "Revived alone true cluster true",
            "Dropped alone true cluster true");
  }

  @Test
  void aSingleMachineAlwaysDecidesAndAMemberOnlyInItsTerm() {
    assertThat(ReplicationMode.ALONE.alone()).isTrue();
    assertThat(ReplicationMode.ALONE.decides()).isTrue();
    assertThat(cluster.alone()).isFalse();
    assertThat(cluster.decides()).isFalse();
    cluster.begin(1, 0);
    assertThat(cluster.decides()).isTrue();
  }

  @Test
  void aCopyInTransferHoldsTheJournalAsItIs() {
    assertThat(cluster.held()).isFalse();
    cluster.hold();
    assertThat(cluster.held()).isTrue();
    assertThat(ReplicationMode.ALONE.held()).isFalse();
  }
}
