package dev.ron.mailbox.sqs.queue;

import dev.ron.http.Refusal;
import dev.ron.mailbox.sqs.SqsFault;
import dev.ron.mailbox.sqs.api.QueueAddress;
import java.util.Map;

/**
 * How many tags a queue can have, and how long they are.
 *
 * <p>Threading: stateless.
 */
final class QueueTags {
  private static final int MAX = 50;
  private static final int KEY_CHARS_MAX = 128;
  private static final int VALUE_CHARS_MAX = 256;

  private QueueTags() {}

  static void check(Map<String, String> tags, QueueAddress queue) throws Refusal {
    if (tags.size() > MAX) {
      throw wrong("Too many tags added for queue " + queue.name() + ".");
    }
    for (Map.Entry<String, String> tag : tags.entrySet()) {
      if (tag.getKey().isEmpty() || tag.getKey().length() > KEY_CHARS_MAX) {
        throw wrongKey();
      }
      if (tag.getValue().length() > VALUE_CHARS_MAX) {
        throw wrong("Tag values must be between 0 and 256 characters in length.");
      }
    }
  }

  static Refusal wrongKey() {
    return wrong("Tag keys must be between 1 and 128 characters in length.");
  }

  private static Refusal wrong(String why) {
    return Refusal.of(new SqsFault.InvalidParameterValue(why));
  }
}
