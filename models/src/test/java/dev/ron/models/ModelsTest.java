package dev.ron.models;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Every model, and what TLC has to say about it. Each design stands next to the mistakes it avoids:
 * a broken variant that TLC let pass would mean that the property proves nothing.
 */
@Execution(ExecutionMode.CONCURRENT)
final class ModelsTest {

  private static final String DESIGNS =
      """
      # module           | config
      WorkQueue          | WorkQueuePatient
      DeficitRoundRobin  | DeficitRoundRobin
      DeficitRoundRobin  | DeficitRoundRobinFair
      FairSlots          | FairSlots
      MailboxLifeCycle   | MailboxLifeCycle
      MailboxLifeCycle   | MailboxLifeCycleAlone
      EpochRuns          | EpochRuns
      RepairBetweenNodes | RepairBetweenNodesConverges
      """;

  /**
   * The longer ones. No code can break them, only a change of a model, after which the long run is
   * the one that counts.
   */
  private static final String LARGE_DESIGNS =
      """
      # module           | config
      WorkQueue          | WorkQueue
      FairSlots          | FairSlotsTwo
      RepairPacing       | RepairPacing
      RepairPacing       | RepairPacingConverges
      RepairBetweenNodes | RepairBetweenNodes
      """;

  private static final String MISTAKES =
      """
      # module                      | config                        | verdict  | property
      WorkQueueLateSend             | WorkQueueLateSend             | safety   | NothingLeftWhenStopped
      WorkQueueEagerExit            | WorkQueueEagerExit            | safety   | NothingLeftWhenStopped
      WorkQueuePeek                 | WorkQueuePeek                 | safety   | NothingHandledTwice
      WorkQueue                     | WorkQueueLostWakeup           | liveness | ShutdownEnds
      DeficitRoundRobinStuckPointer | DeficitRoundRobinStuckPointer | liveness | NobodyStarves
      DeficitRoundRobinHoard        | DeficitRoundRobinHoard        | safety   | DeficitBounded
      FairSlotsBarging              | FairSlotsBarging              | liveness | NobodyWaitsForEver
      FairSlotsSilent               | FairSlotsSilent               | liveness | WorkConserving
      MailboxLifeCycle              | MailboxLifeCycleEarlySend     | safety   | AcknowledgedSendIsKept
      MailboxLifeCycle              | MailboxLifeCycleEarlyAck      | safety   | AcknowledgedAckIsFinal
      MailboxLifeCycleUnburied      | MailboxLifeCycleUnburied      | liveness | EveryAcknowledgedSendEnds
      EpochRunsForgetful            | EpochRunsForgetful            | safety   | OneRunHasTheEpoch
      EpochRunsSilent               | EpochRunsSilent               | liveness | EveryRunEnds
      RepairPacingTrusting          | RepairPacingTrusting          | safety   | AGoodCopyRemains
      RepairPacingSelfish           | RepairPacingSelfish           | safety   | WithinBudget
      RepairPacingGivesUp           | RepairPacingGivesUp           | liveness | TargetIsReached
      RepairBetweenNodesAsking      | RepairBetweenNodesAsking      | safety   | AGoodCopyRemains
      RepairBetweenNodesEager       | RepairBetweenNodesEager       | safety   | PromisesAreKept
      RepairBetweenNodesUnpaced     | RepairBetweenNodesUnpaced     | safety   | WithinBudget
      RepairBetweenNodesStubborn    | RepairBetweenNodesStubborn    | liveness | TargetIsReached
      """;

  @ParameterizedTest(name = "{1} holds")
  @CsvSource(delimiter = '|', textBlock = DESIGNS)
  void theDesignHolds(String module, String config) throws Exception {
    var verdict = Tlc.check(module, config);
    assertThat(verdict.exit()).as(verdict.output()).isEqualTo(Verdict.HOLDS);
    assertThat(verdict.searchedEverything()).as(verdict.output()).isTrue();
    assertThat(verdict.actions()).as(verdict.output()).hasSizeGreaterThan(5);
    assertThat(verdict.actionsNeverTaken()).as(verdict.output()).isEmpty();
  }

  @Tag("long")
  @ParameterizedTest(name = "{1} holds")
  @CsvSource(delimiter = '|', textBlock = LARGE_DESIGNS)
  void theLargeDesignHolds(String module, String config) throws Exception {
    theDesignHolds(module, config);
  }

  @ParameterizedTest(name = "{1} violates {3}")
  @CsvSource(delimiter = '|', textBlock = MISTAKES)
  void theMistakeIsCaught(String module, String config, String kind, String property)
      throws Exception {
    int expected = kind.equals("safety") ? Verdict.SAFETY_VIOLATED : Verdict.LIVENESS_VIOLATED;
    var verdict = Tlc.check(module, config);
    assertThat(verdict.exit()).as(verdict.output()).isEqualTo(expected);
    assertThat(verdict.violated()).as(verdict.output()).contains(property);
  }

  @Test
  void noConfigIsMissingFromTheTables() throws IOException {
    assertThat(rows(DESIGNS + LARGE_DESIGNS + MISTAKES))
        .extracting(row -> row.get(1))
        .containsExactlyInAnyOrderElementsOf(Config.names());
  }

  @Test
  void whatAMistakeViolatesIsProvedOfItsDesign() throws IOException {
    for (var mistake : rows(MISTAKES)) {
      var proved = new ArrayList<String>();
      for (var design : rows(DESIGNS + LARGE_DESIGNS)) {
        if (mistake.getFirst().startsWith(design.getFirst())) {
          proved.addAll(Config.read(design.get(1)).properties());
        }
      }
      assertThat(proved).as(mistake.get(1)).contains(mistake.get(3));
    }
  }

  private static List<List<String>> rows(String table) {
    return table
        .lines()
        .filter(row -> !row.startsWith("#"))
        .map(row -> List.of(row.strip().split("\\s*\\|\\s*", -1)))
        .toList();
  }
}
