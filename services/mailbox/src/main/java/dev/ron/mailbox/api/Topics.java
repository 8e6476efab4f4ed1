package dev.ron.mailbox.api;

import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import dev.ron.http.json.Field;
import dev.ron.http.json.Fields;
import dev.ron.http.json.Form;
import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.mailbox.core.Shard;
import dev.ron.mailbox.core.TopicReach;
import dev.ron.mailbox.core.TopicView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /v1/topics}: what is where, and for how long.
 *
 * <p>Of all topics only those are shown that the capability reaches.
 *
 * <p>Threading: immutable.
 */
public record Topics(MailboxContext context) implements FormVerb<Topics.Request, Topics.Views> {
  private static final String OP = "topics";
  private static final Form FORM = MailboxContext.form(Field.text("topic").optional());

  /**
   * @param only null for all topics
   */
  public record Request(Caller caller, @Nullable String only) {}

  /** What each shard has of each topic, by name. */
  public record Views(Map<String, List<TopicView>> topics, long nowMillis) {}

  record Reply(List<TopicSummary> topics) {}

  @Override
  public Form form() {
    return FORM;
  }

  @Override
  public Request parse(Exchange exchange) {
    return new Request(Caller.of(exchange), null);
  }

  @Override
  public Request request(Caller caller, Fields read) throws Refusal {
    return request(caller, read.textOrNull("topic"));
  }

  Request request(Caller caller, @Nullable String only) throws Refusal {
    return new Request(
        caller,
        only == null ? null : context.rights().require(caller, OP, MailboxContext.topic(only), 0));
  }

  @Override
  public Views handle(Request request) throws Refusal, InterruptedException {
    String only = request.only();
    var topics = new TreeMap<String, List<TopicView>>();
    for (int shard = 0; shard < context.shards().count(); shard++) {
      for (TopicView view : MailboxContext.seen(context.shards().look(shard, Shard::topics))) {
        topics
            .computeIfAbsent(view.topic(), _ -> new ArrayList<>())
            .add(view.shownTo(request.caller().owner()));
      }
    }
    TopicReach reach = context.rights().reach(request.caller(), OP);
    topics.keySet().removeIf(topic -> only == null ? !reach.reaches(topic) : !only.equals(topic));
    return new Views(topics, context.time().now().toEpochMilli());
  }

  @Override
  public Answer write(Views views) {
    List<TopicSummary> all =
        views.topics().values().stream()
            .map(shards -> TopicSummary.of(shards, views.nowMillis()))
            .toList();
    return context.aged(Answer.json(200, new Reply(all)));
  }

  /** {@code GET /v1/topics/{topic}}: one of them. */
  record One(Topics topics) implements Verb<Request, TopicSummary> {
    @Override
    public Request parse(Exchange exchange) throws Refusal {
      return topics.request(Caller.of(exchange), exchange.param("topic"));
    }

    @Override
    public TopicSummary handle(Request request) throws Refusal, InterruptedException {
      Views views = topics.handle(request);
      for (List<TopicView> shards : views.topics().values()) {
        return TopicSummary.of(shards, views.nowMillis());
      }
      throw Refusal.of(new HttpFault.NotFound("no message of this topic is here"));
    }

    @Override
    public Answer write(TopicSummary reply) {
      return topics.context().aged(Answer.json(200, reply));
    }
  }
}
