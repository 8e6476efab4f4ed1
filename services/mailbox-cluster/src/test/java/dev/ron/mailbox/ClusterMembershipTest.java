package dev.ron.mailbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.journal.JournalSettings;
import dev.ron.journal.file.FileJournal;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.mailbox.cluster.replica.StateTransferMark;
import dev.ron.mailbox.journal.MailboxFolder;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A machine is lost for good and another takes its place. */
final class ClusterMembershipTest {
  private static final int MESSAGES = 120;

  /** A file of the log holds two of the largest entries, 2 MiB each; this fills some of them. */
  private static final int BODY_BYTES = 50_000;

  @TempDir private Path folder;

  @Test
  void aNewMachineTakesTheStateOverAndTheClusterOutlivesTheNextLoss() throws Exception {
    try (var members = new Members(folder)) {
      for (String name : Machines.NAMES) {
        members.start(name);
      }
      members.awaitAllReady();
      assertThat(PeerPort.saidInTheClear(members.peerPort("a")))
          .as("without certificates anybody is answered, which loopback alone allows")
          .isEqualTo(PeerPort.SETTINGS);
      Set<String> sent = fill(members);

      members.stop("b");
      cannotHandTo(members, "b");
      members.name("d");
      change(members, "leave", "{\"node\":\"b\"}");
      assertThat(members.get("a", "/v1/cluster")).doesNotContain("{\"node\":\"b\"");

      members.peers.remove("b");
      leaveHalfACopy(folder.resolve("d"));
      members.start("d", "cluster.join=true");
      assertThat(members.get("d", "/readyz")).as("nobody has taken it in").startsWith("503");
      String join = "{\"node\":\"d\",\"address\":\"%s\"}".formatted(members.peers.get("d"));
      change(members, "join", join);
      members.awaitReady("d");
      members.await(
          "d took the state over, the log alone was not enough",
          () -> members.said.stream().anyMatch(each -> each.matches("(?s)d .*fetched.*")));

      members.stop("a");
      members.awaitReady("c");
      members.awaitReady("d");
      assertThat(receiveAll(members, "d")).as("served by c and d").isEqualTo(sent);
    }
  }

  /** Neither while it seems to be there nor later, and whoever led goes on. */
  private static void cannotHandTo(Members members, String gone) throws Exception {
    String form = "{\"group\":0,\"node\":\"%s\"}".formatted(gone);
    for (String name : List.of("a", "c", "a", "c")) {
      HttpResponse<String> refused = members.json(name, "/v1/cluster/transfer", form);
      assertThat(refused.statusCode()).as(refused.body()).isEqualTo(503);
    }
    members.send("a", "still", "after");
  }

  @Test
  void aCertificateThatIsNotThereIsNamed() throws Exception {
    try (var members = new Members(folder)) {
      String missing = folder.resolve("nowhere.pem").toString();
      assertThatThrownBy(
              () ->
                  members.start(
                      "a",
                      "cluster.tls.cert=" + missing,
                      "cluster.tls.key=" + missing,
                      "cluster.tls.ca=" + missing))
          .hasMessageContaining("the peers' TLS needs " + missing);
    }
  }

  /** What a machine has that was killed while it took the state over. */
  private static void leaveHalfACopy(Path data) throws Exception {
    var scope = Scope.of("mailbox", World.real(Log.silent()));
    Path group = data.resolve("group-0");
    var settings = JournalSettings.in(MailboxFolder.journal(group));
    FileJournal half = MailboxFolder.open(scope, group, settings);
    new StateTransferMark(scope.disk(), group).begin();
    half.append(List.of(ByteBuffer.allocate(100)));
    half.flushTask().run(scope.time().now());
    half.flushTask().finish(scope.time().now());
  }

  /** More than the log keeps, so that it does not reach back to the beginning. */
  private static Set<String> fill(Members members) throws Exception {
    var sent = new HashSet<String>();
    for (int i = 0; sent.size() < MESSAGES; i++) {
      String path = "/v1/send?topic=t&idem_key=k" + i;
      HttpResponse<String> answer =
          members.post(
              Machines.NAMES.get(i % 3), path, "application/octet-stream", new byte[BODY_BYTES]);
      if (answer.statusCode() != 503) {
        sent.add(Rig.field(answer.body(), "msg_id"));
      }
    }
    return sent;
  }

  private static void change(Members members, String verb, String form) throws Exception {
    HttpResponse<String> answer = members.persistently("a", "/v1/cluster/" + verb, form);
    assertThat(answer.statusCode())
        .as(() -> verb + ": " + answer.body() + members.told())
        .isEqualTo(200);
  }

  private static Set<String> receiveAll(Members members, String name) throws Exception {
    var got = new HashSet<String>();
    String request = "{\"topic\":\"t\",\"max_messages\":100,\"visibility_ms\":600000}";
    for (List<String> more = List.of("first"); !more.isEmpty(); got.addAll(more)) {
      String body = members.persistently(name, "/v1/recv", request).body();
      more =
          Pattern.compile("\"msg_id\":\"(\\w+)\"")
              .matcher(body)
              .results()
              .map(each -> each.group(1))
              .toList();
    }
    return got;
  }
}
