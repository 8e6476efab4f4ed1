package dev.ron.mailbox.sqs.queue;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.http.Refusal;
import dev.ron.mailbox.core.queue.QueueRecord;
import dev.ron.mailbox.sqs.SqsFault;
import dev.ron.mailbox.sqs.api.QueueAddress;
import dev.ron.mailbox.sqs.api.SqsCall;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One page of a list of queues.
 *
 * <p>Threading: immutable.
 *
 * @param next where the next page begins; null if this is the last, or pages were not asked for
 */
record QueuePage(List<String> urls, @Nullable String next) {
  private static final int MAX = 1000;

  /**
   * @param after the topic that the page before ended with
   * @param paged whether there is to be a token for the next
   */
  record Terms(String after, int max, boolean paged) {}

  /** Gives queues behind a topic, in order. */
  interface Source {
    List<QueueRecord> after(String topic, int max);
  }

  static Terms terms(SqsCall call) throws Refusal {
    Optional<Integer> max =
        call.tree().number("MaxResults", 1, MAX, "Must be between 1 and 1000, if provided.");
    String token = call.tree().text("NextToken").orElse("");
    try {
      String after = new String(Base64.getUrlDecoder().decode(token), UTF_8);
      return new Terms(after, max.orElse(MAX), max.isPresent());
    } catch (IllegalArgumentException _) {
      throw Refusal.of(new SqsFault.InvalidParameterValue("Invalid or expired next token."));
    }
  }

  /** Queues that the caller may not see are not there. */
  static QueuePage of(SqsCall call, Terms terms, Source source) {
    var urls = new ArrayList<String>();
    String last = terms.after();
    while (true) {
      List<QueueRecord> some = source.after(last, MAX);
      for (QueueRecord each : some) {
        Optional<QueueAddress> address =
            QueueAddress.ofTopic(each.topic(), call.origin().home())
                .filter(queue -> call.may("topics", queue));
        if (address.isPresent() && urls.size() == terms.max()) {
          return new QueuePage(urls, terms.paged() ? token(last) : null);
        }
        address.ifPresent(queue -> urls.add(queue.url(call.base())));
        last = each.topic();
      }
      if (some.size() < MAX) {
        return new QueuePage(urls, null);
      }
    }
  }

  private static String token(String topic) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(topic.getBytes(UTF_8));
  }
}
