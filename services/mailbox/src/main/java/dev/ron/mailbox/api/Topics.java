package dev.ron.mailbox.api;

import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import dev.ron.http.json.Field;
import dev.ron.http.json.Fields;
import dev.ron.http.json.Form;
import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.mailbox.core.PeekedMessage;
import dev.ron.mailbox.core.QueueCommand;
import dev.ron.mailbox.core.Shard;
import dev.ron.mailbox.core.TopicReach;
import dev.ron.mailbox.core.TopicView;
import dev.ron.mailbox.core.queue.QueueTopic;
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

  /**
   * {@code GET /v1/peek?topic=T&limit=N}: messages of a topic as they lie there, without receiving
   * them. It shows what a receive would, so it needs the same right.
   */
  record Peek(MailboxContext context) implements Verb<Peek.Look, List<PeekedMessage>> {
    /** Whole payloads are in one answer. */
    static final int LIMIT_MAX = 32;

    private static final int LIMIT_DEFAULT = 16;

    /**
     * Of bodies from one shard: an answer is for a page, and holds up the shard while it is read.
     */
    private static final long LOOK_BYTES = 4 << 20;

    record Look(Caller caller, String topic, int limit) {}

    @Override
    public Look parse(Exchange exchange) throws Refusal {
      String said = exchange.query().first("topic");
      if (said == null) {
        throw MailboxContext.wrong("topic", "is missing in the query");
      }
      var caller = Caller.of(exchange);
      String topic = context.rights().require(caller, "recv", MailboxContext.topic(said), 0);
      String limit = exchange.query().first("limit");
      int wanted =
          limit != null && limit.matches("[0-9]{1,4}") ? Integer.parseInt(limit) : LIMIT_DEFAULT;
      return new Look(caller, topic, Math.clamp(wanted, 1, LIMIT_MAX));
    }

    @Override
    public List<PeekedMessage> handle(Look request) throws Refusal, InterruptedException {
      var found = new ArrayList<PeekedMessage>();
      for (int shard : context.shards().topics().of(request.topic())) {
        found.addAll(
            MailboxContext.seen(
                context
                    .shards()
                    .look(shard, each -> each.peek(request.topic(), request.limit(), LOOK_BYTES))));
      }
      return found.stream()
          .limit(request.limit())
          .map(each -> each.shownTo(request.caller().owner()))
          .toList();
    }

    @Override
    public Answer write(List<PeekedMessage> reply) {
      return context.aged(Answer.json(200, MailboxJsonAnswer.peeked(reply)));
    }
  }

  /**
   * {@code POST /v1/purge}: lets go of all messages of a topic, also of those in flight; its dead
   * letters stay. A queue of the SQS door has a purge of its own, which that door answers for.
   */
  record Purge(MailboxContext context) implements FormVerb<String, Boolean> {
    static final Form FORM = MailboxContext.form(MailboxContext.TOPIC);

    record Done(boolean ok) {}

    @Override
    public Form form() {
      return FORM;
    }

    @Override
    public String request(Caller caller, Fields read) throws Refusal {
      String topic = context.rights().require(caller, "purge", read.text("topic"), 0);
      if (QueueTopic.is(topic)) {
        throw MailboxContext.wrong("topic", "is a queue of the SQS door; ask PurgeQueue of it");
      }
      return topic;
    }

    @Override
    public Boolean handle(String topic) throws Refusal, InterruptedException {
      for (int shard : context.shards().topics().of(topic)) {
        MailboxContext.granted(context.shards().ask(shard, new QueueCommand.Clear(topic)));
      }
      return true;
    }

    @Override
    public Answer write(Boolean reply) {
      return Answer.json(200, new Done(reply));
    }
  }
}
