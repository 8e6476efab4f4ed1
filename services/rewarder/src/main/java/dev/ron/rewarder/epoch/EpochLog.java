package dev.ron.rewarder.epoch;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which run each epoch belongs to, where several machines could close it: what they agree on, in
 * one order, before any of them closes an epoch or pays a line of it.
 *
 * <p>Each call may wait for other machines. An {@link IOException} says that they do not agree now;
 * what was asked for may have happened, and is asked for again.
 *
 * <p>Threading: thread-safe.
 */
public interface EpochLog {
  /** Of a machine alone: what it has closed is all there is. */
  EpochLog ALONE =
      new EpochLog() {
        @Override
        public void begin(Map<AgreedRun, Long> closed) {}

        @Override
        public AgreedRun claim(AgreedRun run) {
          return run;
        }

        @Override
        public Optional<AgreedRun> known(String epoch) {
          return Optional.empty();
        }

        @Override
        public List<AgreedRun> all() {
          return List.of();
        }

        @Override
        public void paid(String runKey, long next) {}

        @Override
        public long firstUnpaid(String runKey) {
          return 1;
        }
      };

  /**
   * Enters what was closed on this machine before there were others. Until that was done once, by
   * the machine that has those epochs, no epoch can be claimed.
   *
   * @param closed and of each the first line that is in no ledger which all machines pay into
   * @throws IOException also if this is not that machine; the message says what to do
   */
  void begin(Map<AgreedRun, Long> closed) throws IOException, InterruptedException;

  /**
   * The run that the epoch belongs to from now on, on all machines: the one given, unless another
   * had it before.
   */
  AgreedRun claim(AgreedRun run) throws IOException, InterruptedException;

  /** The run of an epoch as far as this machine knows; what it knows holds for good. */
  Optional<AgreedRun> known(String epoch) throws IOException;

  /** All that were claimed before the call. */
  List<AgreedRun> all() throws IOException, InterruptedException;

  /** Every line before this one is in a ledger that all machines pay into. */
  void paid(String runKey, long next) throws IOException, InterruptedException;

  /** The line behind the last that {@link #paid} was told of; 1 if it was told of none. */
  long firstUnpaid(String runKey) throws IOException, InterruptedException;
}
