package dev.ron.edge.api;

import dev.ron.edge.EdgeConfig;
import dev.ron.edge.EdgeMetrics;
import dev.ron.edge.task.EdgeEvent;
import dev.ron.edge.task.Fills;
import dev.ron.edge.task.LiveCache;
import dev.ron.edge.task.Upstreams;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.time.Time;

/**
 * What every verb works with.
 *
 * <p>Threading: immutable; its parts are thread-safe.
 */
public record Desk(
    EdgeConfig config,
    Rights rights,
    LiveCache cache,
    Fills fills,
    Upstreams upstreams,
    EdgeMetrics metrics,
    Broadcast<EdgeEvent> events,
    Time time) {}
