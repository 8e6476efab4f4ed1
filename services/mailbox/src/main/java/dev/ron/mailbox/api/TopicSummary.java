package dev.ron.mailbox.api;

import dev.ron.mailbox.core.TopicView;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * One topic: the sums, and the figures of each shard.
 *
 * <p>Threading: immutable.
 */
record TopicSummary(
    String topic,
    long depth,
    long ready,
    long delayed,
    long inFlight,
    long dead,
    long oldestAgeMs,
    long sent,
    long acked,
    List<InShard> shards) {
  record InShard(int shard, long ready, long delayed, long inFlight, long dead) {}

  static TopicSummary of(List<TopicView> views, long nowMillis) {
    long ready = sum(views, TopicView::ready);
    long delayed = sum(views, TopicView::delayed);
    long oldest =
        views.stream()
            .mapToLong(TopicView::oldestMillis)
            .filter(at -> at > 0)
            .map(at -> Math.max(0, nowMillis - at))
            .max()
            .orElse(0);
    return new TopicSummary(
        views.getFirst().topic(),
        ready + delayed,
        ready,
        delayed,
        sum(views, TopicView::inFlight),
        sum(views, TopicView::dead),
        oldest,
        sum(views, TopicView::sent),
        sum(views, TopicView::acked),
        views.stream().map(TopicSummary::inShard).toList());
  }

  private static long sum(List<TopicView> views, ToLongFunction<TopicView> of) {
    return views.stream().mapToLong(of).sum();
  }

  private static InShard inShard(TopicView view) {
    return new InShard(view.shard(), view.ready(), view.delayed(), view.inFlight(), view.dead());
  }
}
