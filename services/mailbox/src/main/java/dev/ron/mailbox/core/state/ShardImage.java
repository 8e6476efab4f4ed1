package dev.ron.mailbox.core.state;

import dev.ron.mailbox.core.message.DeadLetterEntry;
import dev.ron.mailbox.core.message.Ulid;
import dev.ron.mailbox.core.queue.QueueImage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A shard at one moment, without the bodies: what a snapshot keeps.
 *
 * <p>Taking one costs little whatever the backlog, because pages and blocks are shared with the
 * shard, which copies before it changes them.
 *
 * <p>Threading: immutable; made by the shard's loop, read by the snapshot's task.
 *
 * @param lastId the newest id, so that none is given twice
 * @param lanes topic and group by number
 * @param delayed until when, by number
 * @param errors the last error of living messages that failed, by number
 * @param sentAgain when a dead letter was sent again, by number; the age of all others is their id
 */
public record ShardImage(
    Ulid lastId,
    List<@Nullable MessageGroupName> lanes,
    List<IndexPage> pages,
    Map<Long, Long> delayed,
    Map<Long, String> errors,
    Map<Long, Long> sentAgain,
    List<DeadLetterEntry> deaths,
    FrozenTable keys,
    FrozenTable acks,
    QueueImage queues) {
  /** The oldest record that a message of this shard lies in; {@code Long.MAX_VALUE} for none. */
  public long oldestPosition() {
    return pages.stream().mapToLong(IndexPage::oldestPosition).min().orElse(Long.MAX_VALUE);
  }

  /** The numbers of the messages whose records lie before {@code position}. */
  public List<Long> before(long position) {
    var numbers = new ArrayList<Long>();
    pages.forEach(page -> page.before(position, numbers));
    return numbers;
  }
}
