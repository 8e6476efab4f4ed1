package dev.ron.raft;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.ratis.metrics.LongCounter;
import org.apache.ratis.metrics.MetricRegistries;
import org.apache.ratis.metrics.MetricRegistryInfo;
import org.apache.ratis.metrics.RatisMetricRegistry;
import org.apache.ratis.metrics.Timekeeper;
import org.apache.ratis.util.TimeDuration;

/**
 * What Ratis counts about itself, and which is not read here: ours are the mailbox's own metrics.
 *
 * <p>Its own registry kept a sample of every flush and call, which was a thirtieth of a busy
 * machine's CPU. Found by Ratis through {@code META-INF/services}.
 *
 * <p>Threading: thread-safe.
 */
public final class NoRatisMetrics extends MetricRegistries {
  private static final Timekeeper.Context NO_TIME = () -> 0;
  private static final Timekeeper NO_TIMER = () -> NO_TIME;

  @Override
  public RatisMetricRegistry create(MetricRegistryInfo info) {
    return new NoRegistry(info);
  }

  @Override
  public Optional<RatisMetricRegistry> get(MetricRegistryInfo info) {
    return Optional.empty();
  }

  @Override
  public boolean remove(MetricRegistryInfo info) {
    return true;
  }

  @Override
  public Set<MetricRegistryInfo> getMetricRegistryInfos() {
    return Set.of();
  }

  @Override
  public Collection<RatisMetricRegistry> getMetricRegistries() {
    return List.of();
  }

  @Override
  public void clear() {}

  @Override
  public void addReporterRegistration(
      Consumer<RatisMetricRegistry> begin, Consumer<RatisMetricRegistry> end) {}

  @Override
  public void enableJmxReporter() {}

  @Override
  public void enableConsoleReporter(TimeDuration rate) {}

  private record NoRegistry(MetricRegistryInfo info) implements RatisMetricRegistry {
    @Override
    public Timekeeper timer(String name) {
      return NO_TIMER;
    }

    /** Counts, because the code that asks for a counter may ask how far it is. */
    @Override
    public LongCounter counter(String name) {
      var sum = new LongAdder();
      return new LongCounter() {
        @Override
        public void inc(long more) {
          sum.add(more);
        }

        @Override
        public void dec(long less) {
          sum.add(-less);
        }

        @Override
        public long getCount() {
          return sum.sum();
        }
      };
    }

    @Override
    public boolean remove(String name) {
      return true;
    }

    @Override
    public <T> void gauge(String name, Supplier<Supplier<T>> value) {}

    @Override
    public MetricRegistryInfo getMetricRegistryInfo() {
      return info;
    }
  }
}
