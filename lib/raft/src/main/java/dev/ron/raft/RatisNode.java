package dev.ron.raft;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.kernel.Scope;
import dev.ron.kernel.time.Deadline;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.GroupManagementRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage;
import org.jspecify.annotations.Nullable;

/**
 * This machine's part in all groups by Ratis: one listener, one folder, a log for each group.
 *
 * <p>Ratis runs threads of its own; they begin with {@link #open} and end with {@link #end}.
 *
 * <p>Threading: thread-safe once it is open.
 */
public final class RatisNode implements RaftNode {
  /**
   * The gRPC inside Ratis tells each connection that broke by itself, to standard error. Held here
   * because the JDK forgets the level of a logger without a reference.
   */
  private static final Logger QUIET = Logger.getLogger("org.apache.ratis.thirdparty.io.grpc");

  /** Ratis tells by itself when the time for a hand-over is up, on a thread that may be late. */
  private static final Duration GRACE = Duration.ofMillis(250);

  private final Scope scope;
  private final RaftSettings settings;
  private final List<RaftStateMachine> machines;
  private volatile List<RatisGroup> groups = List.of();
  private @Nullable RaftServer server;

  public RatisNode(Scope scope, RaftSettings settings, IntFunction<RaftStateMachine> machines) {
    this.scope = scope;
    this.settings = settings;
    this.machines = IntStream.range(0, settings.groups()).mapToObj(machines).toList();
  }

  @Override
  public void open() throws IOException {
    QUIET.setLevel(Level.OFF);
    RaftProperties properties = RatisProperties.of(settings);
    Parameters parameters =
        settings.keys().isPresent() ? settings.keys().get().parameters() : new Parameters();
    List<RaftGroupId> ids = IntStream.range(0, settings.groups()).mapToObj(this::id).toList();
    RaftServer.Builder builder =
        RaftServer.newBuilder()
            .setServerId(RaftPeerId.valueOf(settings.node()))
            .setProperties(properties)
            .setParameters(parameters)
            .setOption(RaftStorage.StartupOption.RECOVER)
            .setStateMachineRegistry(
                id -> new RatisStateMachine(machines.get(ids.indexOf(id)), this::fetch));
    RaftServer made = builder.build();
    server = made;
    made.start();
    var known = new HashSet<RaftGroupId>();
    made.getGroupIds().forEach(known::add);
    var all = new ArrayList<RatisGroup>();
    for (int i = 0; i < ids.size(); i++) {
      RaftGroupId id = ids.get(i);
      List<RaftPeer> founders = peers(founders(settings));
      if (!known.contains(id)) {
        var group = org.apache.ratis.protocol.RaftGroup.valueOf(id, founders);
        made.groupManagement(
            GroupManagementRequest.newAdd(ClientId.randomId(), made.getId(), i, group));
      }
      all.add(
          new RatisGroup(
              i,
              id,
              made,
              new RaftConnections(id, made, parameters, peers(settings.peers()), scope.time()),
              silenceMax(),
              scope.time()));
    }
    groups = List.copyOf(all);
  }

  /** None for a machine that waits to be taken in. */
  private static Map<String, String> founders(RaftSettings settings) {
    Map<String, String> founders = new HashMap<>(settings.peers());
    founders.keySet().retainAll(settings.founders());
    return founders.containsKey(settings.node()) ? founders : Map.of();
  }

  @Override
  public Duration silenceMax() {
    return settings.electionMin().multipliedBy(3);
  }

  @Override
  public Duration handOverLimit() {
    return settings.electionMin().multipliedBy(2);
  }

  private void fetch(Runnable body) {
    scope.world().threads().start(scope.service() + "/raft/fetch", body);
  }

  static List<RaftPeer> peers(Map<String, String> peers) {
    return peers.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(each -> RaftPeer.newBuilder().setId(each.getKey()).setAddress(each.getValue()).build())
        .toList();
  }

  private RaftGroupId id(int group) {
    String name = settings.cluster() + "/" + group;
    return RaftGroupId.valueOf(UUID.nameUUIDFromBytes(name.getBytes(UTF_8)));
  }

  @Override
  public List<RaftGroup> groups() {
    return List.copyOf(groups);
  }

  @Override
  public RaftGroup group(int number) {
    return groups.get(number);
  }

  @Override
  public String node() {
    return settings.node();
  }

  /** Requests in flight still need it; see {@link #end}. */
  @Override
  public void stopIntake() {}

  /**
   * So that no request has to wait for an election. All groups at a time, and no longer than an
   * election would take or than there is time.
   */
  private void handOver(Deadline deadline) {
    Duration left = deadline.remaining(scope.time().now());
    Duration limit = left.compareTo(handOverLimit()) < 0 ? left : handOverLimit();
    if (limit.toMillis() < 1) {
      return;
    }
    List<CompletableFuture<Void>> underWay = new ArrayList<>();
    for (RatisGroup group : groups) {
      RaftGroupStatus status = group.status();
      if (status.leads()) {
        heir(status, _ -> true).ifPresent(to -> underWay.add(hand(group, to, limit)));
      }
    }
    underWay.forEach(CompletableFuture::join);
  }

  private CompletableFuture<Void> hand(RatisGroup group, String to, Duration limit) {
    try {
      return group
          .handOver(to, limit)
          .orTimeout(limit.plus(GRACE).toMillis(), TimeUnit.MILLISECONDS)
          .handle(
              (reply, failed) -> {
                if (failed != null || !reply.isSuccess()) {
                  kept(group, to, failed == null ? reply.getException() : failed);
                }
                return null;
              });
    } catch (IOException failed) {
      kept(group, to, failed);
      return CompletableFuture.completedFuture(null);
    }
  }

  private void kept(RatisGroup group, String to, Throwable why) {
    scope.log().warn("leadership-kept", "group", group.number(), "to", to, "why", why.toString());
  }

  @Override
  public void end(Deadline deadline) {
    handOver(deadline);
    groups.forEach(RatisGroup::close);
    RaftServer open = server;
    if (open != null) {
      try {
        open.close();
      } catch (IOException failed) {
        scope.log().warn("raft-open", "why", failed.toString());
      }
    }
    server = null;
  }
}
