package dev.ron.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Address;
import dev.ron.raft.RaftEntry;
import dev.ron.raft.RaftStateMachine;
import dev.ron.simulator.engine.Seams;
import dev.ron.simulator.names.NamesScenario;
import dev.ron.storage.cluster.node.ClusterNode;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Bugs put between S3's names and their world, and found. */
class PlantedNamesBugsTest {
  private static final int SEEDS = 40;

  private static String invariant(Seams bug) {
    return SeedBudget.firstFailure(new NamesScenario(), bug, SEEDS)
        .orElseThrow(() -> new AssertionError("no seed of " + SEEDS + " shows the planted bug"))
        .violation()
        .orElseThrow()
        .invariant();
  }

  @Test
  void anEntryThatOneMachinePassesOver() {
    assertThat(
            invariant(
                new Seams() {
                  @Override
                  public RaftStateMachine driven(String machine, RaftStateMachine real) {
                    return new WrappedMachine(real) {
                      @Override
                      public void apply(RaftEntry entry) throws Exception {
                        if (!machine.equals("b") || entry.index() % 50 != 20) {
                          super.apply(entry);
                        }
                      }
                    };
                  }
                }))
        .isIn("a key is one register", "machines agree");
  }

  @Test
  void aMachineThatRemembersMoreThanItsRowsHave() {
    assertThat(invariant(new ForgottenReplay()))
        .isIn("a key is one register", "machines agree", "a machine starts again");
  }

  /** It says that a block is deleted, and deletes it when it is told about the next. */
  @Test
  void aBlockThatIsDeletedLaterThanTheLogSays() {
    assertThat(
            invariant(
                new Seams() {
                  @Override
                  public ClusterNode blocks(String machine, ClusterNode real) {
                    var late = new AtomicReference<Address>();
                    return (ClusterNode)
                        Proxy.newProxyInstance(
                            getClass().getClassLoader(),
                            new Class<?>[] {ClusterNode.class},
                            (_, method, arguments) -> {
                              if (!method.getName().equals("delete")) {
                                return method.invoke(real, arguments);
                              }
                              Address before = late.getAndSet((Address) arguments[0]);
                              return before == null || real.delete(before);
                            });
                  }
                }))
        .isEqualTo("nothing is collected that is referenced");
  }
}
