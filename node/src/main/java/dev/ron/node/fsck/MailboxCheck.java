package dev.ron.node.fsck;

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

  static void run(NodeCheck check, Path folder) throws IOException {
    if (Files.exists(folder)) {
      new MailboxCheck(check).run(folder);
    }
  }

  private void run(Path folder) throws IOException {
    Path layout = folder.resolve("shards");
    Path journal = MailboxFolder.journal(folder);
    if (Files.exists(journal)
        && (!Files.exists(layout) || ShardLayout.parse(Files.readString(layout)).isEmpty())) {
      check.lost(STORE, "shards does not say how many shards there are");
    }
    long facts = check.journal(STORE, journal, (_, payload) -> fact(payload), this::name);
    check.counted(STORE, "%d facts, %d messages sent".formatted(facts, sent.size()));
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
