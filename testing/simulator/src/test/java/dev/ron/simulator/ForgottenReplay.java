package dev.ron.simulator;

import dev.ron.raft.RaftEntry;
import dev.ron.raft.RaftStateMachine;
import dev.ron.simulator.engine.Seams;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * A planted bug: how far the log was applied outlives a crash, and what that brought does not. So
 * after a restart the entries in between are passed over.
 */
final class ForgottenReplay implements Seams {
  private final Map<String, Long> applied = new HashMap<>();

  @Override
  public RaftStateMachine driven(String machine, RaftStateMachine real) {
    return new WrappedMachine(real) {
      private long known = -1;

      @Override
      public void start(byte[] kept, long term, long index) throws IOException {
        // A run begins with empty machines, and a test plays many.
        known = index < 0 && term == 0 ? -1 : applied.getOrDefault(machine, -1L);
        super.start(kept, term, index);
      }

      @Override
      public void apply(RaftEntry entry) throws Exception {
        if (entry.index() > known) {
          super.apply(entry);
          applied.put(machine, entry.index());
        }
      }
    };
  }
}
