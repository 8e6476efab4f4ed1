package dev.ron.mailbox.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Reply;
import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.cluster.protocol.LeaderRequest;
import dev.ron.mailbox.core.Command;
import dev.ron.mailbox.core.Outcome;
import dev.ron.mailbox.core.message.DeadLetterFilter;
import dev.ron.mailbox.shard.ShardRequest;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What goes together to the leader, and who is told what came of it. */
final class LeaderRequestQueueTest {
  private static final DeadLetterFilter ALL = DeadLetterFilter.ALL;

  private final Scope scope = Scope.of("mailbox", World.real(Log.silent()));
  private final List<OnItsWay> calls = new ArrayList<>();
  private boolean broken;
  private final LeaderRequestQueue outgoing =
      new LeaderRequestQueue(
          scope,
          0,
          (question, answer, refuse) -> {
            if (broken) {
              throw new IllegalStateException("closed");
            }
            calls.add(call(question, answer, refuse));
          });

  /** A call that the leader has heard and not answered. */
  private record OnItsWay(
      List<Integer> shards, Consumer<List<Outcome>> answer, Consumer<MailboxFault> refuse) {
    void answerEach() {
      answer.accept(shards.stream().<Outcome>map(shard -> new Outcome.Counted(shard)).toList());
    }
  }

  /** The shard's number stands for the question. */
  private static OnItsWay call(
      byte[] question, Consumer<List<Outcome>> answer, Consumer<MailboxFault> refuse) {
    try {
      List<LeaderRequest.Do> all =
          switch (LeaderRequest.decode(ByteBuffer.wrap(question))) {
            case LeaderRequest.Do one -> List.of(one);
            case LeaderRequest.Many(List<LeaderRequest.Do> many) -> many;
            case LeaderRequest other -> throw new AssertionError(other);
          };
      return new OnItsWay(all.stream().map(LeaderRequest.Do::shard).toList(), answer, refuse);
    } catch (java.io.IOException wrong) {
      throw new AssertionError(wrong);
    }
  }

  private Reply<Outcome> put(int shard) {
    return put(shard, true);
  }

  private Reply<Outcome> put(int shard, boolean sure) {
    var ask = new ShardRequest.Do(new Command.Tick(), new Reply<>(scope.time()));
    byte[] question =
        LeaderRequest.encode(new LeaderRequest.Do(shard, new Command.Drop(ALL, 1), 1000, ""), "");
    outgoing.put(new LeaderRequestQueue.PendingRequest(ask, question, sure));
    return ask.reply();
  }

  private List<List<Integer>> sent() {
    return calls.stream().map(OnItsWay::shards).toList();
  }

  private Outcome outcome(Reply<Outcome> reply) throws InterruptedException {
    return Objects.requireNonNull(reply.await(new Deadline(scope.time().now())), "no answer");
  }

  @Test
  void oneAloneGoesAtOnce() throws Exception {
    Reply<Outcome> reply = put(7);
    assertThat(sent()).containsExactly(List.of(7));
    calls.getFirst().answerEach();
    assertThat(outcome(reply)).isEqualTo(new Outcome.Counted(7));
  }

  @Test
  void whatComesWhileTwoAreOnTheirWayGoesTogetherAndEachGetsItsOwn() throws Exception {
    List<Reply<Outcome>> replies = IntStream.range(0, 6).mapToObj(this::put).toList();
    assertThat(sent()).containsExactly(List.of(0), List.of(1));
    calls.get(1).answerEach();
    assertThat(sent()).containsExactly(List.of(0), List.of(1), List.of(2, 3, 4, 5));
    calls.get(2).answerEach();
    calls.get(0).answerEach();
    for (int i = 0; i < 6; i++) {
      assertThat(outcome(replies.get(i))).isEqualTo(new Outcome.Counted(i));
    }
  }

  @Test
  void aCallThatFailsFailsItsOwnAndTheNextGoes() throws Exception {
    List<Reply<Outcome>> replies = IntStream.range(0, 3).mapToObj(this::put).toList();
    var gone = new MailboxFault.Unavailable("gone");
    calls.getFirst().refuse().accept(gone);
    assertThat(outcome(replies.getFirst())).isEqualTo(new Outcome.Refused(gone));
    assertThat(sent()).containsExactly(List.of(0), List.of(1), List.of(2));
    calls.get(2).answerEach();
    assertThat(outcome(replies.get(2))).isEqualTo(new Outcome.Counted(2));
  }

  @Test
  void aCallThatCannotBeMadeOrIsAnsweredWronglyMakesPlaceForTheNext() throws Exception {
    List<Reply<Outcome>> replies = new ArrayList<>(List.of(put(0), put(1), put(2), put(3)));
    calls.getFirst().answer().accept(List.of());
    calls.getFirst().answerEach();
    assertThat(outcome(replies.getFirst())).isInstanceOf(Outcome.Refused.class);
    assertThat(sent()).as("once").containsExactly(List.of(0), List.of(1), List.of(2, 3));
    broken = true;
    calls
        .get(2)
        .answer()
        .accept(List.of(new Outcome.Done(), new Outcome.Done(), new Outcome.Done()));
    assertThat(outcome(replies.get(3))).isInstanceOf(Outcome.Refused.class);
    assertThat(outcome(put(4))).isInstanceOf(Outcome.Refused.class);
    broken = false;
    Reply<Outcome> last = put(5);
    calls.getLast().answerEach();
    assertThat(outcome(last)).isEqualTo(new Outcome.Counted(5));
  }

  @Test
  void whoeverGaveUpBeforeItLeftIsNotAskedFor() {
    put(0);
    put(1);
    Reply<Outcome> impatient = put(2);
    put(3);
    assertThat(impatient.claim()).as("so it is told that nothing was done").isTrue();
    calls.getFirst().answerEach();
    assertThat(sent()).containsExactly(List.of(0), List.of(1), List.of(3));
  }

  @Test
  void aLeaderThatTakesNoMoreSaysSoOnceForAll() throws Exception {
    List<Reply<Outcome>> replies = IntStream.range(0, 5).mapToObj(this::put).toList();
    calls.getFirst().answerEach();
    Outcome busy = new Outcome.Refused(new MailboxFault.Unavailable("busy"));
    calls.get(2).answer().accept(List.of(busy));
    for (Reply<Outcome> each : replies.subList(2, 5)) {
      assertThat(outcome(each)).isEqualTo(busy);
    }
  }

  @Test
  void aTopicThatNobodyKnewInTimeIsNotARefusalOfRights() throws Exception {
    Reply<Outcome> unsure = put(0, false);
    Reply<Outcome> sure = put(1, true);
    Outcome forbidden = new Outcome.Refused(new MailboxFault.CapScope("no"));
    calls.get(0).answer().accept(List.of(forbidden));
    calls.get(1).answer().accept(List.of(forbidden));
    assertThat(outcome(unsure))
        .isInstanceOfSatisfying(
            Outcome.Refused.class,
            refused -> assertThat(refused.fault()).isInstanceOf(MailboxFault.Unavailable.class));
    assertThat(outcome(sure)).isEqualTo(forbidden);
  }

  @Test
  void moreThanMayWaitIsRefused() throws Exception {
    List<Reply<Outcome>> replies = IntStream.range(0, 1027).mapToObj(this::put).toList();
    assertThat(outcome(replies.getLast()))
        .isInstanceOfSatisfying(
            Outcome.Refused.class,
            refused -> assertThat(refused.fault()).isInstanceOf(MailboxFault.Saturated.class));
    assertThat(replies.get(1025).claimed()).as("still waits").isFalse();
    calls.getFirst().answerEach();
    assertThat(calls.getLast().shards()).as("a few at a time").hasSize(128);
  }
}
