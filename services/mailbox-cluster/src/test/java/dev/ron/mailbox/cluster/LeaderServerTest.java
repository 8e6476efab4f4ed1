package dev.ron.mailbox.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.journal.JournalSettings;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.cluster.protocol.LeaderRequest;
import dev.ron.mailbox.cluster.protocol.OutcomeCodec;
import dev.ron.mailbox.cluster.replica.AloneJournal;
import dev.ron.mailbox.cluster.replica.Replica;
import dev.ron.mailbox.cluster.replica.StateTransferMark;
import dev.ron.mailbox.core.Outcome;
import dev.ron.mailbox.core.message.Ulid;
import dev.ron.mailbox.journal.DiskUse;
import dev.ron.mailbox.journal.MailboxFolder;
import dev.ron.mailbox.shard.Leadership;
import dev.ron.mailbox.shard.ReceiveRequest;
import dev.ron.mailbox.shard.Shards;
import dev.ron.mailbox.shard.TopicShards;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A leader that is asked for more than it answers at a time. */
final class LeaderServerTest {
  @TempDir private Path folder;

  private CompletableFuture<byte[]> ask(int places, int copies, LeaderRequest question)
      throws IOException {
    var scope = Scope.of("mailbox", World.real(Log.silent()));
    Path group = Files.createTempDirectory(folder, "group");
    var settings = JournalSettings.in(MailboxFolder.journal(group));
    var replica =
        new Replica(
            scope,
            0,
            List.of(0),
            MailboxFolder.open(scope, group, settings),
            new StateTransferMark(scope.disk(), group),
            new AloneJournal(scope.disk(), group.resolve("none"), group),
            1,
            DiskUse.none());
    var here = new Shards(scope, new TopicShards(1), List.of(), Leadership.LOCAL);
    return new LeaderServer(scope, here, places, copies)
        .answer(replica, ByteBuffer.wrap(LeaderRequest.encode(question, "")));
  }

  @Test
  void whatIsToBeDoneIsRefusedByAnOutcome() throws Exception {
    var receive = new LeaderRequest.Receive(0, new ReceiveRequest("t", 1, 1, 1), 0, 1);
    byte[] answer = ask(0, 0, receive).get(20, TimeUnit.SECONDS);
    assertThat(OutcomeCodec.decode(answer))
        .singleElement()
        .matches(
            each ->
                each instanceof Outcome.Refused(MailboxFault fault)
                    && fault.code().equals("saturated"));
  }

  /** Their answers are bytes of another kind, and these would be taken for some. */
  @Test
  void aTopicAndAPartOfTheStateAreNotAnswered() {
    for (LeaderRequest each :
        List.of(new LeaderRequest.TopicOf(0, new Ulid(0, 1)), new LeaderRequest.Copy(2, 0))) {
      assertThatThrownBy(() -> ask(0, 0, each).get(20, TimeUnit.SECONDS))
          .as(each.toString())
          .hasRootCauseMessage("too many machines ask");
    }
  }

  @Test
  void aMachineThatJoinsDoesNotWaitForThoseThatWaitForMessages() throws Exception {
    assertThat(ask(0, 1, new LeaderRequest.Copy(1, 0)).get(20, TimeUnit.SECONDS)).isEmpty();
  }
}
