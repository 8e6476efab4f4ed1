package dev.ron.gateway.admit;

import dev.ron.gateway.GatewayFault;
import dev.ron.gateway.core.SheddingState;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.channel.SendResult;
import dev.ron.kernel.registry.ChannelRow;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Lets requests in: at once where a place is free and no request waits, else into the scheduler's
 * work.
 *
 * <p>Threading: thread-safe; called on event loops. The counts are atomic, the rest is handed over
 * in tickets.
 */
public final class Admission {
  private static final Duration REST = Duration.ofSeconds(1);
  private static final String GIVES_WAY = "longest line gives up its newest";

  private final Tenants tenants;
  private final Channel<AdmissionTicket> work;
  private final SlotSignal freed;
  private final Broadcast<String> events;
  private final int inflight;
  private final AtomicInteger inside = new AtomicInteger();
  private final AtomicReference<SheddingState> shedding = new AtomicReference<>(SheddingState.OFF);

  /** Where a ticket went. */
  public enum Entry {
    AT_ONCE,
    WAITING,
    REFUSED
  }

  public Admission(
      Scope scope,
      Tenants tenants,
      Channel<AdmissionTicket> work,
      SlotSignal freed,
      Broadcast<String> events,
      int inflight) {
    this.tenants = tenants;
    this.work = work;
    this.freed = freed;
    this.events = events;
    this.inflight = inflight;
    scope
        .metrics()
        .sampled(
            "gateway_degraded",
            "1 while writes are refused so that reads go on.",
            sample -> sample.call(degraded() ? 1 : 0));
    scope
        .metrics()
        .sampled(
            "gateway_drr_queue_depth",
            "Requests of a tenant that wait for a place.",
            sample -> depths().forEach((label, depth) -> sample.call(depth, label)),
            "tenant");
    scope
        .registry()
        .channel(
            () -> new ChannelRow("lines", "lines", inflight, GIVES_WAY, waiting(), 0, 0), () -> 0);
    scope
        .readiness()
        .derived(
            "shedding",
            () ->
                degraded()
                    ? Optional.of(
                        "writes are refused: %d of %d places inside are taken"
                            .formatted(inside.get(), inflight))
                    : Optional.empty());
  }

  /** A request of the tenant is here; the caller calls {@link #over} for it, once. */
  public @Nullable GatewayFault arrive(Tenant tenant, boolean write) {
    int now = inside.incrementAndGet();
    int own = tenant.inside().incrementAndGet();
    SheddingState seen = look(now);
    if (seen.on() && write && seen.refuses(true, own, tenants.active(), inflight)) {
      String why = "writes are refused while %d of %d requests are inside".formatted(now, inflight);
      return new GatewayFault.Degraded(why, REST, tenant.standing());
    }
    return null;
  }

  public void over(Tenant tenant) {
    tenant.inside().decrementAndGet();
    look(inside.decrementAndGet());
  }

  /** Takes a place, or sends the ticket to the scheduler; {@code REFUSED} if that is too busy. */
  public Entry enter(AdmissionTicket ticket) {
    boolean full = inside.get() > inflight;
    Slots slots = ticket.pool().slots();
    if (full) {
      slots.await();
    } else if (slots.enterOrWait()) {
      ticket.entered();
      return Entry.AT_ONCE;
    }
    ticket.waits(full);
    if (work.trySend(ticket) instanceof SendResult.Sent) {
      return Entry.WAITING;
    }
    leave(ticket);
    return Entry.REFUSED;
  }

  public void leave(AdmissionTicket ticket) {
    if (ticket.leave()) {
      freed.ring();
    }
  }

  /** What a full {@code work} answers. */
  public GatewayFault busy(Tenant tenant) {
    return new GatewayFault.Busy(work.name(), work.capacity(), tenant.standing());
  }

  /** What a full gateway answers to the longest line. */
  GatewayFault full(Tenant tenant) {
    return new GatewayFault.Busy("inflight", inflight, tenant.standing());
  }

  public boolean degraded() {
    return shedding.get().on();
  }

  public int inside() {
    return inside.get();
  }

  private SheddingState look(int now) {
    SheddingState seen = shedding.get();
    SheddingState next = seen.look(now, inflight);
    if (next.on() != seen.on() && shedding.compareAndSet(seen, next)) {
      events.publish(next.on() ? "degraded" : "recovered");
    }
    return next;
  }

  /** Requests in the lines of all tenants. */
  private int waiting() {
    int[] sum = new int[1];
    tenants.forEach(tenant -> sum[0] += tenant.waiting().get());
    return sum[0];
  }

  private Map<String, Integer> depths() {
    Map<String, Integer> depths = new HashMap<>();
    tenants.forEach(
        tenant -> depths.merge(tenants.label(tenant), tenant.waiting().get(), Integer::sum));
    return depths;
  }
}
