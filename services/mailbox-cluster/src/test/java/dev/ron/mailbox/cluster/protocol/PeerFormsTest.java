package dev.ron.mailbox.cluster.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.blake3.Blake3;
import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.core.Command;
import dev.ron.mailbox.core.Outcome;
import dev.ron.mailbox.core.QueueCommand;
import dev.ron.mailbox.core.TopicReach;
import dev.ron.mailbox.core.message.DeadLetterFilter;
import dev.ron.mailbox.core.message.DeadLetterReason;
import dev.ron.mailbox.core.message.Envelope;
import dev.ron.mailbox.core.message.Message;
import dev.ron.mailbox.core.message.Receipt;
import dev.ron.mailbox.core.message.TopicOwner;
import dev.ron.mailbox.core.message.Ulid;
import dev.ron.mailbox.core.queue.MoveTask;
import dev.ron.mailbox.core.queue.QueueRecord;
import dev.ron.mailbox.core.queue.QueueRefusal;
import dev.ron.mailbox.core.queue.QueueSettings;
import dev.ron.mailbox.shard.ReceiveRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What machines say to each other comes out as it went in. */
final class PeerFormsTest {
  private static final TopicOwner ACME = TopicOwner.of(Optional.of("acme"));
  private static final Ulid ID = new Ulid(0x0123456789ab0003L, 0x00000000002a7777L);

  private static final QueueRecord QUEUE =
      QueueRecord.wanted(
              "sqs/1/q", QueueSettings.DEFAULTS, Map.of("Policy", "{}"), Map.of("a", "b"))
          .made(3, 99);

  private static final MoveTask TASK =
      new MoveTask("id", "sqs/1/d", "", 7, 8, MoveTask.Status.RUNNING, 9, 10, "");

  static List<LeaderRequest> questions() {
    return List.of(
        new LeaderRequest.Do(
            3,
            new Command.Reprocess(
                new DeadLetterFilter(TopicOwner.OPERATOR, ID, "t", null, null), 5, 6),
            70,
            ""),
        new LeaderRequest.Do(
            3,
            new Command.Drop(
                new DeadLetterFilter(ACME, null, null, DeadLetterReason.RETENTION, ID), 1),
            70,
            "acme"),
        new LeaderRequest.Receive(4, new ReceiveRequest("t", 5000, 10, 1 << 20), 250, 6000, "acme"),
        new LeaderRequest.Receive(
            4, new ReceiveRequest("sqs/1/q.fifo", 5000, 10, 1 << 20, "attempt"), 250, 6000, "acme"),
        ofQueue(new QueueCommand.Make(QUEUE, List.of("DelaySeconds", "Policy"))),
        ofQueue(new QueueCommand.Find("sqs/1/q")),
        ofQueue(new QueueCommand.Change(QUEUE.withTags(Map.of("k", "v".repeat(100_000))))),
        ofQueue(new QueueCommand.Delete("sqs/1/q")),
        ofQueue(new QueueCommand.Purge("sqs/1/q")),
        ofQueue(new QueueCommand.Clear("sqs/1/q")),
        ofQueue(new QueueCommand.Settle("sqs/1/q", ID, new Receipt(9), 7)),
        ofQueue(new QueueCommand.Settle("sqs/1/q", ID, null, QueueCommand.Settle.DELETE)),
        ofQueue(new QueueCommand.Move("sqs/1/d", "", 8)),
        ofQueue(new QueueCommand.StartMove(TASK)),
        ofQueue(new QueueCommand.MoveStep("sqs/1/d", "id", 4, MoveTask.Status.CANCELLED, "why")),
        new LeaderRequest.TopicOf(5, ID),
        new LeaderRequest.Copy(2, 1L << 40));
  }

  private static LeaderRequest ofQueue(QueueCommand command) {
    return new LeaderRequest.Do(3, command, 70, "acme");
  }

  @Test
  void aMessageForAQueueKeepsEveryFieldWhateverItsLength() throws IOException {
    byte[] body = "body".getBytes(UTF_8);
    var put =
        new QueueCommand.Put(
            "sqs/1/q.fifo",
            body,
            Blake3.hash(body),
            Map.of("large", "ä".repeat(400_000)),
            -1,
            "g".repeat(128),
            "dedup",
            "retry",
            17,
            "corr",
            77);
    byte[] bytes = LeaderRequest.encode(new LeaderRequest.Do(1, put, 2, "acme"), "");
    assertThat(LeaderRequest.decode(ByteBuffer.wrap(bytes)))
        .usingRecursiveComparison()
        .isEqualTo(new LeaderRequest.Do(1, put, 2, "acme"));
  }

  /** As a machine of before queues sends it. */
  @Test
  void aReceiveWithoutANameHasTheBytesOfBefore() {
    var receive = new LeaderRequest.Receive(4, new ReceiveRequest("t", 1, 2, 3), 5, 6, "");
    assertThat(HexFormat.of().formatHex(LeaderRequest.encode(receive, "")))
        .isEqualTo(
            "0200000004000174000000000000000100000002000000000000000300000000000000050000000000000006");
  }

  /** Behind all that a machine of before reads, which takes no notice of it. */
  @Test
  void whoseARequestIsStandsAtItsEnd() {
    var plain = new ReceiveRequest("t", 1, 2, 3);
    for (ReceiveRequest each : List.of(plain, plain.named("again"))) {
      assertTold(
          new LeaderRequest.Receive(4, each, 5, 6, ""),
          new LeaderRequest.Receive(4, each, 5, 6, "acme"));
    }
    var find = new QueueCommand.Find("sqs/1/q");
    assertTold(new LeaderRequest.Do(1, find, 2, ""), new LeaderRequest.Do(1, find, 2, "acme"));
  }

  private static void assertTold(LeaderRequest before, LeaderRequest now) {
    HexFormat hex = HexFormat.of();
    assertThat(hex.formatHex(LeaderRequest.encode(now, "")))
        .isEqualTo(
            hex.formatHex(LeaderRequest.encode(before, ""))
                + "0004"
                + hex.formatHex("acme".getBytes(UTF_8)));
  }

  @ParameterizedTest
  @MethodSource("questions")
  void aQuestionComesOutAsItWentIn(LeaderRequest question) throws IOException {
    assertThat(LeaderRequest.decode(ByteBuffer.wrap(LeaderRequest.encode(question, ""))))
        .isEqualTo(question);
  }

  @Test
  void whatIsToBeDoneComesTogetherAndInItsOrder() throws IOException {
    List<LeaderRequest.Do> dos =
        questions().stream()
            .filter(LeaderRequest.Do.class::isInstance)
            .map(LeaderRequest.Do.class::cast)
            .toList();
    byte[] bytes =
        LeaderRequest.together(dos.stream().map(each -> LeaderRequest.encode(each, "")).toList());
    assertThat(LeaderRequest.decode(ByteBuffer.wrap(bytes))).isEqualTo(new LeaderRequest.Many(dos));
    byte[] wrong =
        LeaderRequest.together(List.of(LeaderRequest.encode(new LeaderRequest.TopicOf(5, ID), "")));
    assertThatThrownBy(() -> LeaderRequest.decode(ByteBuffer.wrap(wrong)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("only what is to be done");
  }

  @Test
  void aSendKeepsEveryField() throws IOException {
    byte[] body = "body".getBytes(UTF_8);
    var send =
        new Command.Send(
            "t", "k", body, Blake3.hash(body), Map.of("x", "y"), 9, "g", "corr", 77, true);
    byte[] bytes = LeaderRequest.encode(new LeaderRequest.Do(1, send, 2, "acme"), "");
    assertThat(LeaderRequest.decode(ByteBuffer.wrap(bytes)))
        .usingRecursiveComparison()
        .isEqualTo(new LeaderRequest.Do(1, send, 2, "acme"));
  }

  @Test
  void aWordAboutAMessageIsGoodForItsTopicOnly() throws IOException {
    var ack = new Command.Ack(ID, new Receipt(8), TopicReach.ALL);
    var read =
        (LeaderRequest.Do)
            LeaderRequest.decode(
                ByteBuffer.wrap(
                    LeaderRequest.encode(new LeaderRequest.Do(1, ack, 2, "acme"), "mine")));
    var there = (Command.Ack) read.command();
    assertThat(there.id()).isEqualTo(ID);
    assertThat(there.receipt()).isEqualTo(new Receipt(8));
    assertThat(there.reach().reaches("mine")).isTrue();
    assertThat(there.reach().reaches("yours")).isFalse();
    assertThat(there.reach().refusal(ID, "yours")).isInstanceOf(MailboxFault.CapScope.class);
  }

  /** Of a topic that is not known, the shard must know whose it may be. */
  @Test
  void aWordAboutAnUnknownMessageSaysWhoseItMayBe() throws IOException {
    var ack = new Command.Ack(ID, new Receipt(8), TopicReach.ALL);
    for (TopicOwner owner : List.of(ACME, TopicOwner.of(Optional.of("default")))) {
      byte[] bytes =
          LeaderRequest.encode(new LeaderRequest.Do(1, ack, 2, "acme"), owner.everything());
      var read = (LeaderRequest.Do) LeaderRequest.decode(ByteBuffer.wrap(bytes));
      TopicReach reach = ((Command.Ack) read.command()).reach();
      assertThat(reach.owner()).isEqualTo(owner);
      assertThat(reach.reaches(owner.kept("mine").orElseThrow())).isFalse();
      assertThat(reach.refusal(ID, "~evil/mine"))
          .isEqualTo(new MailboxFault.UnknownMessage(ID.toString()));
    }
    byte[] bytes = LeaderRequest.encode(new LeaderRequest.Do(1, ack, 2, "acme"), "");
    var read = (LeaderRequest.Do) LeaderRequest.decode(ByteBuffer.wrap(bytes));
    assertThat(((Command.Ack) read.command()).reach().owner()).isEqualTo(TopicOwner.OPERATOR);
    assertThat(((Command.Ack) read.command()).reach().reaches("mine")).isFalse();
  }

  @Test
  void everyOutcomeAndEveryFault() throws IOException {
    List<Outcome> all =
        List.of(
            new Outcome.Accepted(ID, true),
            new Outcome.Done(),
            new Outcome.Empty(),
            new Outcome.Counted(7),
            new Outcome.Partly(
                2, 3, new MailboxFault.Saturated("shard_capacity", 4, Duration.ofSeconds(1))),
            refused(new MailboxFault.Schema("s")),
            refused(new MailboxFault.CapAuth("a")),
            refused(new MailboxFault.CapScope("c")),
            refused(new MailboxFault.UnknownMessage("m")),
            refused(new MailboxFault.Duplicate("m")),
            refused(new MailboxFault.ReceiptExpired("m")),
            refused(new MailboxFault.IdemMismatch("m")),
            refused(new MailboxFault.FrameTooLarge("f", 2, 1)),
            new Outcome.Queue(QUEUE),
            new Outcome.Move(TASK),
            refused(new MailboxFault.NoSuchQueue("q")),
            refused(new MailboxFault.QueueRefused(QueueRefusal.NAME_TAKEN, "DelaySeconds")),
            refused(new MailboxFault.Integrity("i")),
            refused(new MailboxFault.Saturated("q", 4, Duration.ofMillis(30))),
            refused(new MailboxFault.Unavailable("u")));
    assertThat(OutcomeCodec.decode(OutcomeCodec.encode(all))).isEqualTo(all);
  }

  /** Its number is the old one, and what a machine of before does not read stands at the end. */
  @Test
  void aRepetitionIsToldBehindWhatAMachineOfBeforeReads() throws IOException {
    List<Outcome> all =
        List.of(
            new Outcome.Done(true),
            new Outcome.Done(),
            new Outcome.Empty(),
            new Outcome.Done(true));
    byte[] bytes = OutcomeCodec.encode(all);
    assertThat(OutcomeCodec.decode(bytes)).isEqualTo(all);
    assertThat(HexFormat.of().formatHex(bytes))
        .isEqualTo("00000004" + "02020602" + "0000000000000003");
    byte[] beyond = bytes.clone();
    beyond[bytes.length - 1] = 4;
    assertThatThrownBy(() -> OutcomeCodec.decode(beyond)).isInstanceOf(IOException.class);
    beyond[bytes.length - 1] = 2;
    assertThatThrownBy(() -> OutcomeCodec.decode(beyond)).isInstanceOf(IOException.class);
  }

  private static Outcome refused(MailboxFault fault) {
    return new Outcome.Refused(fault);
  }

  @Test
  void anEnvelopeKeepsItsReceiptAndItsBytes() throws IOException {
    byte[] body = "body".getBytes(UTF_8);
    var message =
        new Message(ID, "t", "g", 5, "k", Blake3.hash(body), body.length, Map.of("a", "b"), "c");
    var delivered = new Outcome.Delivered(new Envelope(message, body, 3, new Receipt(-1)));
    var ofQueue =
        new Outcome.Delivered(new Envelope(message, body, 3, new Receipt(-1), 55, "sqs/1/q"));
    assertThat(OutcomeCodec.decode(OutcomeCodec.encode(List.of(delivered, ofQueue))))
        .usingRecursiveComparison()
        .isEqualTo(List.of(delivered, ofQueue));
  }

  @Test
  void anEntryThatIsCutIsRefused() throws IOException {
    var entry =
        new FactBatch(
            3, 9, List.of(ByteBuffer.wrap(new byte[] {1}), ByteBuffer.wrap(new byte[] {2, 3})));
    ByteBuffer bytes = entry.encode();
    assertThat(FactBatch.decode(bytes)).isEqualTo(entry);
    for (int cut = 0; cut < bytes.remaining(); cut++) {
      ByteBuffer some = bytes.slice(0, cut);
      assertThatThrownBy(() -> FactBatch.decode(some)).isInstanceOf(IOException.class);
    }
  }
}
