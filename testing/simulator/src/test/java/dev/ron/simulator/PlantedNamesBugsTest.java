package dev.ron.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Address;
import dev.ron.raft.RaftEntry;
import dev.ron.raft.RaftStateMachine;
import dev.ron.simulator.engine.Seams;
import dev.ron.simulator.names.NamesScenario;
import dev.ron.storage.cluster.node.ClusterNode;
import dev.ron.storage.s3.core.WriteCondition;
import dev.ron.storage.s3.names.NameCommand;
import dev.ron.storage.s3.names.NameCommandCodec;
import dev.ron.storage.s3.names.RowReader;
import dev.ron.storage.s3.names.RowWriter;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
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

  /** It says that a block is deleted, and keeps it. */
  @Test
  void garbageThatIsNeverCollected() {
    assertThat(
            invariant(
                new Seams() {
                  @Override
                  public ClusterNode blocks(String machine, ClusterNode real) {
                    return (ClusterNode)
                        Proxy.newProxyInstance(
                            getClass().getClassLoader(),
                            new Class<?>[] {ClusterNode.class},
                            (_, method, arguments) ->
                                method.getName().equals("delete")
                                    ? true
                                    : method.invoke(real, arguments));
                  }
                }))
        .isEqualTo("what no name leads to is collected");
  }

  /** Each machine takes {@code If-None-Match: *} for no condition. */
  @Test
  void aConditionThatIsIgnored() {
    assertThat(
            invariant(
                new Seams() {
                  @Override
                  public RaftStateMachine driven(String machine, RaftStateMachine real) {
                    return new WrappedMachine(real) {
                      @Override
                      public void apply(RaftEntry entry) throws Exception {
                        super.apply(
                            new RaftEntry(
                                entry.term(), entry.index(), unconditional(entry.bytes())));
                      }
                    };
                  }
                }))
        .isEqualTo("a key is one register");
  }

  /** The head of a batch, and its items: how far their request saw, and what it asks for. */
  private static ByteBuffer unconditional(ByteBuffer batch) {
    byte[] bytes = new byte[batch.remaining()];
    batch.duplicate().get(bytes);
    var in = new RowReader(bytes);
    var out = new RowWriter();
    out.one(in.one()).text(in.text()).eight(in.eight()).eight(in.eight()).eight(in.eight());
    out.list(
        in.list(item -> new RowWriter().eight(item.eight()).sized(forced(item.sized())).bytes()),
        RowWriter::raw);
    return ByteBuffer.wrap(out.bytes());
  }

  private static byte[] forced(byte[] command) {
    return NameCommandCodec.command(command)
                instanceof
                NameCommand.PutObject(var bucket, var name, var key, var version, var asked)
            && asked.ifNoneMatch() != null
        ? NameCommandCodec.bytes(
            new NameCommand.PutObject(bucket, name, key, version, WriteCondition.NONE))
        : command;
  }
}
