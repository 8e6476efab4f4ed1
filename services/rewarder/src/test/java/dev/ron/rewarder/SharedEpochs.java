package dev.ron.rewarder;

import dev.ron.rewarder.epoch.AgreedRun;
import dev.ron.rewarder.epoch.EpochLog;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What machines agree on, in memory, as each of them reaches it.
 *
 * <p>Threading: thread-safe.
 */
final class SharedEpochs {
  private final Map<String, AgreedRun> epochs = new ConcurrentHashMap<>();
  private final Map<String, Long> paid = new ConcurrentHashMap<>();
  private volatile boolean begun;

  /** One machine's way to it, which may be cut. */
  final class Machine implements EpochLog {
    private volatile boolean cut;

    Machine cut(boolean now) {
      cut = now;
      return this;
    }

    private void reach() throws IOException {
      if (cut) {
        throw new IOException("no machine leads just now");
      }
    }

    @Override
    public void begin(Map<AgreedRun, Long> closed) throws IOException {
      reach();
      if (!begun) {
        closed.forEach(
            (each, next) -> {
              epochs.putIfAbsent(each.epoch(), each);
              paid.put(each.runKey(), next);
            });
        begun = true;
      }
    }

    @Override
    public AgreedRun claim(AgreedRun run) throws IOException {
      reach();
      if (!begun) {
        throw new IOException("not begun");
      }
      AgreedRun before = epochs.putIfAbsent(run.epoch(), AgreedRun.read(run.bytes()));
      return before == null ? run : before;
    }

    @Override
    public Optional<AgreedRun> known(String epoch) {
      return Optional.ofNullable(epochs.get(epoch));
    }

    @Override
    public List<AgreedRun> all() throws IOException {
      reach();
      return List.copyOf(epochs.values());
    }

    @Override
    public void paid(String runKey, long next) throws IOException {
      reach();
      paid.put(runKey, next);
    }

    @Override
    public long firstUnpaid(String runKey) throws IOException {
      reach();
      return paid.getOrDefault(runKey, 1L);
    }
  }

  Machine machine() {
    return new Machine();
  }
}
