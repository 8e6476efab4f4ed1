package dev.ron.raft;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a machine needs to know to take part.
 *
 * <p>Threading: immutable.
 *
 * @param cluster its name; machines of another do not understand each other
 * @param node this machine's name among the peers
 * @param peers name to host and port, as all of them reach it
 * @param bind where this machine listens, if that is not where the others reach it
 * @param folder of the logs; this machine's alone
 * @param groups how many logs there are
 * @param electionMin how long a leader may be silent before another is elected
 * @param entryBytesMax the largest entry or answer
 * @param segmentBytes of one file of a log; what is let go is let go by files
 * @param trimEntries after so many the machine keeps its state, and the log before it can go
 * @param founders the peers that found groups which do not exist yet; the others wait to be taken
 *     in
 * @param prompt whether {@link RaftGroup#tellFollowers} may be used
 * @param keys empty talks in the clear, and to every caller
 */
public record RaftSettings(
    String cluster,
    String node,
    Map<String, String> peers,
    String bind,
    Path folder,
    int groups,
    Duration electionMin,
    int entryBytesMax,
    Set<String> founders,
    long segmentBytes,
    long trimEntries,
    boolean prompt,
    Optional<PeerKeys> keys) {
  public RaftSettings {
    peers = Map.copyOf(peers);
    founders = Set.copyOf(founders);
    if (!peers.containsKey(node)) {
      throw new IllegalArgumentException("node = " + node + " is not among the peers " + peers);
    }
    if (!peers.keySet().containsAll(founders)) {
      throw new IllegalArgumentException(
          "founders = %s are not all among the peers %s".formatted(founders, peers));
    }
    if (groups < 1) {
      throw new IllegalArgumentException("groups = " + groups);
    }
    if (electionMin.compareTo(Duration.ofMillis(100)) < 0) {
      throw new IllegalArgumentException("election = " + electionMin + " is less than 100ms");
    }
  }
}
