package dev.ron.simulator;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.DiskFile;
import dev.ron.raft.RaftEntry;
import dev.ron.raft.RaftGroup;
import dev.ron.raft.RaftStateMachine;
import dev.ron.simulator.engine.Seams;
import dev.ron.simulator.engine.SeedRun;
import dev.ron.simulator.mailbox.MailboxScenario;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Bugs of the kinds that clusters have, each put between the mailbox and its world, and found. */
class PlantedMailboxBugsTest {
  private static final int SEEDS = 40;

  private static SeedRun found(Seams bug) {
    return SeedBudget.firstFailure(new MailboxScenario(), bug, SEEDS)
        .orElseThrow(() -> new AssertionError("no seed of " + SEEDS + " shows the planted bug"));
  }

  private static String invariant(Seams bug) {
    return found(bug).violation().orElseThrow().invariant();
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
                        if (!machine.equals("b") || entry.index() != 20) {
                          super.apply(entry);
                        }
                      }
                    };
                  }
                }))
        .isIn(
            "what was accepted is there",
            "machines agree",
            "a delete stays deleted",
            "a machine starts again",
            "an id is given once",
            "one key, one message",
            "what is received was sent",
            "the cluster recovers",
            "a message is there once");
  }

  @Test
  void anEntryThatReachesOneMachineWithOneBitChanged() {
    assertThat(
            invariant(
                new Seams() {
                  @Override
                  public RaftStateMachine driven(String machine, RaftStateMachine real) {
                    return new WrappedMachine(real) {
                      @Override
                      public void apply(RaftEntry entry) throws Exception {
                        byte[] bytes = new byte[entry.bytes().remaining()];
                        entry.bytes().duplicate().get(bytes);
                        if (machine.equals("c") && entry.index() % 10 == 5) {
                          bytes[bytes.length - 1] ^= 1;
                        }
                        super.apply(
                            new RaftEntry(entry.term(), entry.index(), ByteBuffer.wrap(bytes)));
                      }
                    };
                  }
                }))
        .isIn(
            "machines agree",
            "what is received was sent",
            "the cluster recovers",
            "a machine starts again",
            "what was accepted is there");
  }

  @Test
  void aJournalThatIsNeverFlushed() {
    assertThat(
            invariant(
                new Seams() {
                  @Override
                  public Disk disk(String machine, Disk real) {
                    return new WrappedDisk(real) {
                      @Override
                      void flush(Path file, DiskFile open) {
                        // forgotten
                      }
                    };
                  }
                }))
        .isEqualTo("a machine starts again");
  }

  @Test
  void aFolderThatIsNeverFlushed() {
    assertThat(
            invariant(
                new Seams() {
                  @Override
                  public Disk disk(String machine, Disk real) {
                    return new WrappedDisk(real) {
                      @Override
                      public void flushDirectory(Path folder) {
                        // forgotten
                      }
                    };
                  }
                }))
        .isEqualTo("a machine starts again");
  }

  /** What breaks must be what it did, and not that it could not be done. */
  @Test
  void aLeaderThatAppliesBeforeAMajorityHasIt() {
    var bug = new EarlyLeader();
    assertThat(invariant(bug))
        .isIn(
            "machines agree",
            "what was accepted is there",
            "a delete stays deleted",
            "a group is received in its order",
            "a machine starts again",
            "the cluster recovers");
    assertThat(bug.applied).isPositive();
    assertThat(bug.failed).isEmpty();
  }

  /** Applies what it proposes at once, while it leads by the log's own word. */
  private static final class EarlyLeader implements Seams {
    private final Map<String, RaftStateMachine> begun = new HashMap<>();
    private final List<Exception> failed = new ArrayList<>();
    private int applied;

    @Override
    public RaftStateMachine driven(String machine, RaftStateMachine real) {
      begun.remove(machine);
      return new WrappedMachine(real) {
        @Override
        public void lead(long term) {
          super.lead(term);
          begun.put(machine, real);
        }

        @Override
        public void follow() {
          begun.remove(machine);
          super.follow();
        }
      };
    }

    @Override
    public RaftGroup group(String machine, RaftGroup real) {
      return new WrappedGroup(real) {
        @Override
        public CompletableFuture<Void> propose(ByteBuffer bytes) throws IOException {
          CompletableFuture<Void> agreed = super.propose(bytes.duplicate());
          RaftStateMachine leader = begun.get(machine);
          if (real.number() == 0 && leader != null) {
            apply(leader, bytes);
          }
          return agreed;
        }

        private void apply(RaftStateMachine leader, ByteBuffer bytes) {
          try {
            leader.apply(new RaftEntry(status().term(), status().applied() + 1, bytes));
            applied++;
          } catch (Exception wrong) {
            failed.add(wrong);
          }
        }
      };
    }
  }

  @Test
  void aQuestionToTheLeaderThatIsAskedTwice() {
    assertThat(
            invariant(
                new Seams() {
                  @Override
                  public RaftGroup group(String machine, RaftGroup real) {
                    return new WrappedGroup(real) {
                      @Override
                      public CompletableFuture<byte[]> ask(String peer, byte[] question) {
                        var _ = super.ask(peer, question);
                        return super.ask(peer, question);
                      }
                    };
                  }
                }))
        .isIn("a message is there once", "one key, one message");
  }

  @Test
  void aMachineThatRemembersMoreThanItsJournalHas() {
    assertThat(invariant(new ForgottenReplay()))
        .isIn(
            "what was accepted is there",
            "machines agree",
            "the cluster recovers",
            "a machine starts again");
  }

  /** Some messages come to a neighbour of their group, and wait for its messages instead. */
  @Test
  void aGroupThatIsMixedUp() {
    assertThat(
            invariant(
                new Seams() {
                  @Override
                  public RaftStateMachine driven(String machine, RaftStateMachine real) {
                    return new WrappedMachine(real) {
                      @Override
                      public void apply(RaftEntry entry) throws Exception {
                        byte[] bytes = new byte[entry.bytes().remaining()];
                        entry.bytes().duplicate().get(bytes);
                        mixUp(bytes);
                        super.apply(
                            new RaftEntry(entry.term(), entry.index(), ByteBuffer.wrap(bytes)));
                      }
                    };
                  }
                }))
        .isEqualTo("a group is received in its order");
  }

  /** Behind the name of its queue a message has the length of its group's name, and that name. */
  private static void mixUp(byte[] entry) {
    byte[] before = (".fifo" + "\0\0\0\2" + "g").getBytes(ISO_8859_1);
    for (int at = 0; at + before.length < entry.length; at++) {
      int end = at + before.length;
      if (Arrays.equals(entry, at, end, before, 0, before.length) && entry.length % 3 == 0) {
        entry[end] ^= 1;
      }
    }
  }
}
