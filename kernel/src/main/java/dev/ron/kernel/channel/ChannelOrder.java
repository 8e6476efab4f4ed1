package dev.ron.kernel.channel;

import dev.ron.kernel.tenant.FairQueue;
import dev.ron.kernel.tenant.TenantTable;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Which item of a channel goes next, and which makes room.
 *
 * <p>Threading: guarded by the channel's lock.
 */
sealed interface ChannelOrder<T> {
  int size();

  void add(T item);

  @Nullable T poll();

  /** An item that makes room for a newcomer; null if the newcomer is the one too many. */
  @Nullable T giveWayTo(T newcomer);

  /** Takes everything out. */
  List<T> drain();

  /** The oldest first; none makes room. */
  record Arrival<T>(ArrayDeque<T> items) implements ChannelOrder<T> {
    @Override
    public int size() {
      return items.size();
    }

    @Override
    public void add(T item) {
      items.add(item);
    }

    @Override
    public @Nullable T poll() {
      return items.poll();
    }

    @Override
    public @Nullable T giveWayTo(T newcomer) {
      return null;
    }

    @Override
    public List<T> drain() {
      List<T> all = List.copyOf(items);
      items.clear();
      return all;
    }
  }

  /** By weight between tenants; the longest line gives up its newest. */
  record Turns<T>(FairQueue<T> lines, Function<? super T, String> tenant, ToLongFunction<T> cost)
      implements ChannelOrder<T> {
    Turns(
        Supplier<TenantTable> tenants, Function<? super T, String> tenant, ToLongFunction<T> cost) {
      this(new FairQueue<>(name -> tenants.get().weight(name)), tenant, cost);
    }

    @Override
    public int size() {
      return lines.size();
    }

    @Override
    public void add(T item) {
      lines.add(tenant.apply(item), cost.applyAsLong(item), item);
    }

    @Override
    public @Nullable T poll() {
      return lines.poll();
    }

    @Override
    public @Nullable T giveWayTo(T newcomer) {
      return lines.giveWayTo(tenant.apply(newcomer));
    }

    @Override
    public List<T> drain() {
      return lines.drain();
    }
  }
}
