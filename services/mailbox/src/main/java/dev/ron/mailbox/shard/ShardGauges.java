package dev.ron.mailbox.shard;

import dev.ron.kernel.Scope;
import dev.ron.mailbox.MailboxMetrics;
import java.util.List;

/** What a scrape sees of the shards. */
public final class ShardGauges {
  private ShardGauges() {}

  /**
   * @param capacity messages of one shard
   */
  public static void in(Scope scope, Shards shards, MailboxMetrics metrics, int capacity) {
    List<ShardSlot> slots = shards.slots();
    scope
        .metrics()
        .sampled(
            "inflight",
            "Messages in the hands of consumers.",
            sample ->
                slots.forEach(
                    slot ->
                        slot.figures()
                            .topics()
                            .forEach(
                                view ->
                                    sample.call(
                                        view.inFlight(),
                                        metrics.topics().of(view.topic()),
                                        Integer.toString(slot.number())))),
            "topic",
            "shard");
    scope
        .metrics()
        .sampled(
            "saturation",
            "Share of a bound that is used, 0 to 1.",
            sample ->
                slots.forEach(
                    slot -> {
                      String shard = Integer.toString(slot.number());
                      sample.call((double) slot.figures().living() / capacity, "ready", shard);
                      sample.call(
                          (double) slot.inbox().depth() / slot.inbox().capacity(), "inbox", shard);
                    }),
            "queue",
            "shard");
    scope
        .metrics()
        .sampled(
            "rebalance_left",
            "Messages in shards that a change of shard_count left over.",
            sample -> sample.call((double) Rebalancer.left(slots, shards.topics().layout())));
  }
}
