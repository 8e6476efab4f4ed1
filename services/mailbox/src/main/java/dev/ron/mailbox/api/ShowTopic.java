package dev.ron.mailbox.api;

import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.mailbox.core.TopicView;
import java.util.List;

/**
 * {@code GET /v1/topics/{topic}}: one of {@link Topics}.
 *
 * <p>Threading: immutable.
 */
record ShowTopic(Topics topics) implements Verb<Topics.Request, TopicSummary> {
  @Override
  public Topics.Request parse(Exchange exchange) throws Refusal {
    return topics.request(Caller.of(exchange), exchange.param("topic"));
  }

  @Override
  public TopicSummary handle(Topics.Request request) throws Refusal, InterruptedException {
    Topics.Views views = topics.handle(request);
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
