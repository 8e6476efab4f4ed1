package dev.ron.raft;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.SystemTime;
import dev.ron.testkit.FreePorts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Machines of one cluster in one process, each with a list of texts.
 *
 * <p>Threading: owned by the test; the lists are thread-safe.
 */
final class Cluster implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  final SystemTime time = new SystemTime();
  final Map<String, RaftNode> nodes = new LinkedHashMap<>();
  final Map<String, List<Texts>> texts = new LinkedHashMap<>();
  final Map<String, String> addresses = new LinkedHashMap<>();
  private final Path folder;
  private final int groups;
  private final long segmentBytes;

  /** A machine whose state is what was applied, all of it again after a restart. */
  static final class Texts implements RaftStateMachine {
    final List<String> applied = new CopyOnWriteArrayList<>();
    volatile long leads = -1;
    volatile boolean fetched;
    private volatile long term;
    private volatile long index = -1;
    private final Supplier<RaftGroup> group;

    private final List<String> had;

    Texts(Supplier<RaftGroup> group, List<String> had) {
      this.group = group;
      this.had = had;
    }

    @Override
    public Optional<Fetched> founded() {
      return had.isEmpty()
          ? Optional.empty()
          : Optional.of(new Fetched(1, 7, String.join(",", had).getBytes(UTF_8)));
    }

    @Override
    public void start(byte[] kept, long lastTerm, long lastIndex) {
      term = lastTerm;
      index = lastIndex;
      if (kept.length > 0) {
        applied.clear();
        applied.addAll(List.of(new String(kept, UTF_8).split(",")));
      }
    }

    @Override
    public void apply(RaftEntry entry) {
      term = entry.term();
      index = entry.index();
      applied.add(UTF_8.decode(entry.bytes()).toString());
    }

    @Override
    public void lead(long term) {
      leads = term;
    }

    @Override
    public void follow() {
      leads = -1;
    }

    @Override
    public byte[] keep() {
      return String.join(",", applied).getBytes(UTF_8);
    }

    @Override
    public CompletableFuture<byte[]> answer(ByteBuffer question) {
      String state = term + " " + index + " " + String.join(",", applied);
      return CompletableFuture.completedFuture(state.getBytes(UTF_8));
    }

    @Override
    public Fetched fetch(String leader) throws IOException {
      fetched = true;
      String[] state = new String(group.get().ask(leader, new byte[0]).join(), UTF_8).split(" ", 3);
      return new Fetched(
          Long.parseLong(state[0]), Long.parseLong(state[1]), state[2].getBytes(UTF_8));
    }
  }

  Cluster(Path folder, int groups, String... names) throws IOException {
    this(folder, groups, 8 << 20, names);
  }

  Cluster(Path folder, int groups, long segmentBytes, String... names) throws IOException {
    this.segmentBytes = segmentBytes;
    this.folder = folder;
    this.groups = groups;
    for (String name : names) {
      addresses.put(name, "127.0.0.1:" + FreePorts.one());
    }
    for (String name : names) {
      start(name, addresses, addresses.keySet(), List.of());
    }
  }

  void start(String name, Map<String, String> peers, boolean joins) throws IOException {
    start(name, peers, joins ? Set.of() : peers.keySet(), List.of());
  }

  /**
   * @param had what it begins with if it founds a group
   */
  void start(String name, Map<String, String> peers, Set<String> founders, List<String> had)
      throws IOException {
    var scope = Scope.of("raft-" + name, World.real(Log.silent()));
    var settings =
        new RaftSettings(
            "test",
            name,
            peers,
            "",
            folder.resolve(name),
            groups,
            Duration.ofMillis(300),
            (int) Math.min(4 << 20, segmentBytes),
            founders,
            segmentBytes,
            50,
            false,
            Optional.empty());
    var mine = new ArrayList<Texts>();
    for (int i = 0; i < groups; i++) {
      int group = i;
      mine.add(new Texts(() -> node(name).group(group), had));
    }
    texts.put(name, mine);
    var node = new RatisNode(scope, settings, mine::get);
    node.open();
    nodes.put(name, node);
  }

  /** All at once, because each waits up to a second for its log. */
  void stop(String... names) throws InterruptedException {
    List<Thread> closing = new ArrayList<>();
    for (String name : names) {
      RaftNode node = node(name);
      nodes.remove(name);
      closing.add(Thread.ofVirtual().start(() -> node.end(Deadline.in(LIMIT, time))));
    }
    for (Thread each : closing) {
      each.join();
    }
    texts.keySet().removeAll(List.of(names));
  }

  /** Proposes until it is agreed on; a text may be there twice if a leader fell in between. */
  void commit(int group, String text) throws Exception {
    Instant limit = time.now().plus(LIMIT);
    while (true) {
      try {
        RaftGroup at = node(leader(group)).group(group);
        at.propose(ByteBuffer.wrap(text.getBytes(UTF_8))).get(20, TimeUnit.SECONDS);
        return;
      } catch (ExecutionException | IOException fell) {
        if (time.now().isAfter(limit)) {
          throw new AssertionError("never agreed on: " + text, fell);
        }
      }
    }
  }

  RaftNode node(String name) {
    return java.util.Objects.requireNonNull(nodes.get(name), name);
  }

  Texts texts(String name, int group) {
    return java.util.Objects.requireNonNull(texts.get(name), name).get(group);
  }

  /** The name of the machine that leads and knows it. */
  String leader(int group) throws InterruptedException {
    await("a leader of group " + group, () -> findLeader(group).isPresent());
    return findLeader(group).orElseThrow();
  }

  private Optional<String> findLeader(int group) {
    return nodes.keySet().stream().filter(name -> texts(name, group).leads >= 0).findFirst();
  }

  void await(String what, BooleanSupplier met) throws InterruptedException {
    Instant limit = time.now().plus(LIMIT);
    while (!met.getAsBoolean()) {
      if (time.now().isAfter(limit)) {
        throw new AssertionError("never: " + what);
      }
      time.sleepUntil(time.now().plusMillis(5));
    }
  }

  @Override
  public void close() {
    try {
      stop(nodes.keySet().toArray(String[]::new));
    } catch (InterruptedException stop) {
      throw new AssertionError("interrupted while closing", stop);
    }
  }
}
