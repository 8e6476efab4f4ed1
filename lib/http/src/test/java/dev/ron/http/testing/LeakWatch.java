package dev.ron.http.testing;

import io.netty.util.ResourceLeakDetector;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Netty's leak detector, with a memory: what it reports fails the test class, see LeakCheck. */
public final class LeakWatch<T> extends ResourceLeakDetector<T> {
  static final Queue<String> LEAKS = new ConcurrentLinkedQueue<>();

  public LeakWatch(Class<?> resourceType, int samplingInterval) {
    super(resourceType, samplingInterval);
  }

  @SuppressWarnings("deprecation") // the form Netty looks for
  public LeakWatch(Class<?> resourceType, int samplingInterval, long maxActive) {
    super(resourceType, samplingInterval, maxActive);
  }

  @Override
  protected boolean needReport() {
    return true;
  }

  @Override
  protected void reportTracedLeak(String resourceType, String records) {
    LEAKS.add(resourceType + records);
  }

  @Override
  protected void reportUntracedLeak(String resourceType) {
    LEAKS.add(resourceType);
  }
}
