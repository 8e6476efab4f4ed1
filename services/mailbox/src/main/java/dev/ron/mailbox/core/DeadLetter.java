package dev.ron.mailbox.core;

import dev.ron.blake3.Hash;
import dev.ron.mailbox.core.message.DeadLetterEntry;
import dev.ron.mailbox.core.message.Message;
import dev.ron.mailbox.core.message.TopicOwner;
import dev.ron.mailbox.core.state.IndexedMessage;
import java.util.Map;

/**
 * One message that no consumer could handle.
 *
 * <p>Threading: immutable; the body is never changed.
 *
 * @param body empty if it cannot be read any more
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record DeadLetter(Message message, byte[] body, DeadLetterEntry death) {
  /** The same, as a caller knows it. */
  public DeadLetter shownTo(TopicOwner caller) {
    return new DeadLetter(caller.shown(message), body, death);
  }

  /** What is left to show of one whose record is damaged. */
  static DeadLetter damaged(IndexedMessage item, DeadLetterEntry death, String why) {
    var message =
        new Message(
            item.id(),
            item.lane().topic(),
            item.lane().group(),
            item.id().millis(),
            "",
            Hash.of(new byte[Hash.BYTES]),
            0,
            Map.of("damaged", why),
            "");
    return new DeadLetter(message, new byte[0], death);
  }
}
