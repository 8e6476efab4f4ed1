package dev.ron.edge.api;

import dev.ron.edge.EdgeConfig;
import dev.ron.edge.EdgeEvent;
import dev.ron.edge.EdgeMetrics;
import dev.ron.edge.cache.LiveCache;
import dev.ron.edge.fill.SingleFlight;
import dev.ron.edge.fill.UpstreamClients;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.time.Time;

/**
 * What every verb works with.
 *
 * <p>Threading: immutable; its parts are thread-safe.
 */
public record EdgeContext(
    Watch<EdgeConfig> settings,
    EdgeRights rights,
    LiveCache cache,
    SingleFlight fills,
    UpstreamClients upstreams,
    EdgeMetrics metrics,
    Broadcast<EdgeEvent> events,
    Time time) {
  /** What holds now. */
  EdgeConfig config() {
    return settings.value();
  }
}
