package dev.ron.mailbox.api;

import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import dev.ron.http.server.Blocking;
import dev.ron.http.server.exchange.Answer;
import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.core.QueryResult;
import dev.ron.mailbox.core.Shard;
import dev.ron.mailbox.core.TopicView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /v1/topics} and {@code /v1/topics/{t}}: what is where, and for how long.
 *
 * <p>Of all topics only those are shown that the capability reaches.
 *
 * <p>Threading: immutable.
 */
public record Topics(MailboxContext desk) {
  private static final String OP = "topics";

  Blocking all() {
    return exchange -> {
      Map<String, List<TopicView>> topics = views(Caller.of(exchange), null);
      return desk.aged(Answer.json(200, MailboxJsonAnswer.topics(topics.values(), now())));
    };
  }

  Blocking one() {
    return exchange -> {
      String topic = MailboxContext.topic(exchange.param("topic"));
      List<TopicView> views = views(Caller.of(exchange), topic).get(topic);
      return views == null
          ? Answer.problem(new HttpFault.NotFound("no message of this topic is here"))
          : desk.aged(Answer.json(200, MailboxJsonAnswer.topic(views, now())));
    };
  }

  private long now() {
    return desk.time().now().toEpochMilli();
  }

  /** Of all topics, or of one that the caller must be allowed to see. */
  public Map<String, List<TopicView>> views(Caller caller, @Nullable String only)
      throws Refusal, InterruptedException {
    if (only != null) {
      desk.rights().require(caller, OP, MailboxContext.topic(only), 0);
    }
    var topics = new TreeMap<String, List<TopicView>>();
    for (int shard = 0; shard < desk.shards().count(); shard++) {
      switch (desk.shards().look(shard, Shard::topics)) {
        case QueryResult.Seen<List<TopicView>>(List<TopicView> views) ->
            views.forEach(
                view -> topics.computeIfAbsent(view.topic(), _ -> new ArrayList<>()).add(view));
        case QueryResult.Refused<List<TopicView>>(MailboxFault fault) -> throw Refusal.of(fault);
      }
    }
    Predicate<String> reached = desk.rights().on(caller, OP);
    topics.keySet().removeIf(topic -> only == null ? !reached.test(topic) : !only.equals(topic));
    return topics;
  }
}
