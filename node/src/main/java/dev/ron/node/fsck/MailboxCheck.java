package dev.ron.node.fsck;

import dev.ron.mailbox.cluster.replica.StateTransferMark;
import dev.ron.mailbox.core.ShardLayout;
import dev.ron.mailbox.core.message.Fact;
import dev.ron.mailbox.core.message.Message;
import dev.ron.mailbox.core.message.Ulid;
import dev.ron.mailbox.journal.FactReader;
import dev.ron.mailbox.journal.MailboxFolder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The mailbox's journal, fact by fact. A message whose record is gone is named by what is left of
 * the record, or by later facts about it.
 *
 * <p>Threading: owned by one thread.
 */
final class MailboxCheck {
  private static final String STORE = "mailbox";

  private final NodeCheck check;
  private final Set<Ulid> sent = new HashSet<>();

  private MailboxCheck(NodeCheck check) {
    this.check = check;
  }

  /** One of several machines has a journal for each group, and none beside them. */
  static void run(NodeCheck check) throws IOException {
    Path folder = check.folders().mailbox();
    if (!Files.exists(folder)) {
      return;
    }
    var mailbox = new MailboxCheck(check);
    long facts = mailbox.journal(folder);
    List<Path> groups = check.folders().mailboxGroups();
    if (groups.isEmpty() && Files.exists(folder.resolve("raft"))) {
      check.lost(STORE, "the folders of all groups are gone, and their log is here");
    }
    for (Path group : groups) {
      if (new StateTransferMark(check.scope().disk(), group).isUnfinished()) {
        check.unfinished(STORE, group + ": a copy of another machine's; a start begins it anew");
      } else {
        facts += mailbox.journal(group);
      }
    }
    check.counted(STORE, "%d facts, %d messages sent".formatted(facts, mailbox.sent.size()));
  }

  private long journal(Path folder) throws IOException {
    Path layout = folder.resolve("shards");
    Path journal = MailboxFolder.journal(folder);
    if (Files.exists(journal)
        && (!Files.exists(layout) || ShardLayout.parse(Files.readString(layout)).isEmpty())) {
      check.lost(STORE, layout + " does not say how many shards there are");
    }
    return check.journal(STORE, journal, (_, payload) -> fact(payload), this::name);
  }

  private void fact(ByteBuffer payload) {
    try {
      switch (FactReader.decode(payload)) {
        case Fact.Sent(Message message, _, _, _) -> sent.add(message.id());
        case Fact.Carried(Message message, _) -> sent.add(message.id());
        default -> {}
      }
    } catch (IOException unknown) {
      check.lost(STORE, "a fact that cannot be read: " + unknown.getMessage());
    }
  }

  private Optional<String> name(ByteBuffer remains) {
    try {
      Fact fact = FactReader.decode(remains);
      return Optional.of(
          switch (fact) {
            case Fact.Sent(Message message, _, _, _) -> words(message);
            case Fact.Carried(Message message, _) -> words(message);
            default -> "what happened to message " + fact.id();
          });
    } catch (IOException | RuntimeException _) {
      return Optional.empty();
    }
  }

  private static String words(Message message) {
    return "message %s of topic %s, key %s"
        .formatted(message.id(), message.topic(), message.idemKey());
  }
}
