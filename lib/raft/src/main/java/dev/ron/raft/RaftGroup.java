package dev.ron.raft;

import dev.ron.kernel.time.Time;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.proto.RaftProtos.ServerRpcProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.exceptions.AlreadyClosedException;
import org.apache.ratis.retry.RetryPolicies;
import org.apache.ratis.retry.RetryPolicy;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.apache.ratis.util.LifeCycle;
import org.apache.ratis.util.TimeDuration;
import org.jspecify.annotations.Nullable;

/**
 * One log that several machines keep, as this machine takes part in it.
 *
 * <p>Threading: thread-safe; proposals of one term must come from one thread to be in its order.
 */
public final class RaftGroup {
  private static final int TRIES = 30;
  private static final TimeDuration REST = RatisProperties.time(Duration.ofMillis(200));

  private final int number;
  private final RaftGroupId id;
  private final RaftServer server;
  private final List<RaftPeer> known;
  private final Duration silenceMax;
  private final AtomicReference<@Nullable Line> line = new AtomicReference<>();
  private final ClientId author = ClientId.randomId();
  private final AtomicLong calls = new AtomicLong();

  private final Time time;
  private final AtomicReference<Instant> heard;

  /**
   * The way to the other machines, for as long as they are these.
   *
   * @param broken Ratis does not make a closed connection anew by itself
   */
  private record Line(List<RaftPeer> peers, RaftClient client, AtomicBoolean broken) {}

  /**
   * @param known the machines as they were written down, for one that has not joined yet
   */
  RaftGroup(
      int number,
      RaftGroupId id,
      RaftServer server,
      List<RaftPeer> known,
      Duration silenceMax,
      Time time) {
    this.time = time;
    this.heard = new AtomicReference<>(time.now());
    this.known = List.copyOf(known);
    this.number = number;
    this.id = id;
    this.server = server;
    this.silenceMax = silenceMax;
  }

  public int number() {
    return number;
  }

  /**
   * Puts an entry behind all that were proposed before; on the leader only.
   *
   * <p>Returns when it has its place in this machine's log. The future ends when it is applied
   * here; if that fails, whether it will be applied is not known.
   */
  public CompletableFuture<Void> propose(ByteBuffer bytes) throws IOException {
    RaftClientRequest request =
        RaftClientRequest.newBuilder()
            .setClientId(author)
            .setServerId(server.getId())
            .setGroupId(id)
            .setCallId(calls.incrementAndGet())
            .setMessage(Message.valueOf(UnsafeByteOperations.unsafeWrap(bytes)))
            .setType(RaftClientRequest.writeRequestType())
            .build();
    return server.submitClientRequestAsync(request).thenCompose(RaftGroup::granted);
  }

  private static CompletableFuture<Void> granted(RaftClientReply reply) {
    return reply.isSuccess()
        ? CompletableFuture.completedFuture(null)
        : CompletableFuture.failedFuture(why(reply));
  }

  private static IOException why(RaftClientReply reply) {
    return new IOException(String.valueOf(reply.getException()), reply.getException());
  }

  /** Asks the machine that leads; fails at once if none is known. */
  public CompletableFuture<byte[]> ask(byte[] question) {
    Optional<String> leader = status().leader();
    return leader.isEmpty()
        ? CompletableFuture.failedFuture(new IOException("group " + number + " has no leader"))
        : ask(leader.get(), question);
  }

  /** Asks one machine, which answers only if it leads. */
  public CompletableFuture<byte[]> ask(String peer, byte[] question) {
    Message message = Message.valueOf(UnsafeByteOperations.unsafeWrap(question));
    Line open = line();
    return open.client()
        .async()
        .sendReadOnlyUnordered(message, RaftPeerId.valueOf(peer))
        .whenComplete((_, failure) -> mark(open, failure))
        .thenCompose(
            reply ->
                reply.isSuccess()
                    ? CompletableFuture.completedFuture(
                        reply.getMessage().getContent().toByteArray())
                    : CompletableFuture.failedFuture(why(reply)));
  }

  /** The machine at the other end was restarted; the next question finds it by a new line. */
  private static void mark(Line open, @Nullable Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof AlreadyClosedException) {
        open.broken().set(true);
      }
    }
  }

  public GroupStatus status() {
    try {
      RaftServer.Division division = server.getDivision(id);
      DivisionInfo seen = division.getInfo();
      RoleInfoProto role = seen.getRoleInfoProto();
      boolean leads = seen.isLeader() && seen.isLeaderReady();
      RaftPeerId leader = seen.getLeaderId();
      Duration since = sinceLeader(seen, role, leader);
      return new GroupStatus(
          number,
          Optional.ofNullable(leader).map(RaftPeerId::toString),
          leads,
          seen.isLeader() || (leader != null && since.compareTo(silenceMax) < 0),
          seen.getCurrentTerm(),
          since,
          division.getRaftLog().getLastCommittedIndex(),
          seen.getLastAppliedIndex(),
          seen.getLifeCycleState() == LifeCycle.State.RUNNING,
          peers(division, role));
    } catch (IOException unknown) {
      return new GroupStatus(
          number, Optional.empty(), false, false, 0, Duration.ofDays(1), -1, -1, false, List.of());
    }
  }

  /**
   * Ratis counts from the last change of role, and a machine alone changes it with every vote it
   * loses.
   */
  private Duration sinceLeader(DivisionInfo seen, RoleInfoProto role, @Nullable RaftPeerId leader) {
    Instant now = time.now();
    if (seen.isLeader()) {
      heard.set(now);
    } else if (leader != null && role.hasFollowerInfo()) {
      long elapsed = role.getFollowerInfo().getLeaderInfo().getLastRpcElapsedTimeMs();
      heard.accumulateAndGet(now.minusMillis(elapsed), (a, b) -> a.isAfter(b) ? a : b);
    }
    return Duration.between(heard.get(), now);
  }

  private static List<GroupStatus.Peer> peers(RaftServer.Division division, RoleInfoProto role) {
    Map<String, Long> matched = new LinkedHashMap<>();
    if (role.hasLeaderInfo()) {
      List<ServerRpcProto> followers = role.getLeaderInfo().getFollowerInfoList();
      long[] indices = division.getInfo().getFollowerMatchIndices();
      for (int i = 0; i < followers.size() && indices != null && i < indices.length; i++) {
        matched.put(followers.get(i).getId().getId().toStringUtf8(), indices[i]);
      }
      matched.put(division.getId().toString(), division.getRaftLog().getFlushIndex());
    }
    List<GroupStatus.Peer> peers = new ArrayList<>();
    for (RaftPeer peer : division.getRaftConf().getAllPeers()) {
      String name = peer.getId().toString();
      peers.add(new GroupStatus.Peer(name, peer.getAddress(), matched.getOrDefault(name, -1L)));
    }
    return peers;
  }

  private Line line() {
    List<RaftPeer> peers = peersNow();
    Line open = line.get();
    if (open != null && open.peers().equals(peers) && !open.broken().get()) {
      return open;
    }
    var made = new Line(peers, client(peers, RetryPolicies.noRetry()), new AtomicBoolean());
    if (!line.compareAndSet(open, made)) {
      quietly(made);
      return line();
    }
    quietly(open);
    return made;
  }

  private List<RaftPeer> peersNow() {
    try {
      List<RaftPeer> now =
          server.getDivision(id).getRaftConf().getAllPeers().stream()
              .sorted(Comparator.comparing(peer -> peer.getId().toString()))
              .toList();
      return now.isEmpty() ? known : now;
    } catch (IOException gone) {
      return known;
    }
  }

  private RaftClient client(List<RaftPeer> peers, RetryPolicy retries) {
    return RaftClient.newBuilder()
        .setRaftGroup(org.apache.ratis.protocol.RaftGroup.valueOf(id, peers))
        .setProperties(server.getProperties())
        .setRetryPolicy(retries)
        .build();
  }

  private static void quietly(@Nullable Line open) {
    if (open != null) {
      try {
        open.client().close();
      } catch (IOException _) {
        // a connection that is given up anyway
      }
    }
  }

  /** Makes another machine lead; it has to be about as far as the leader. */
  public void transfer(String to, Duration limit) throws IOException {
    try (RaftClient client = operator()) {
      checked(client.admin().transferLeadership(RaftPeerId.valueOf(to), limit.toMillis()));
    }
  }

  /** Replaces the machines of the group; a new one is brought up to date before it counts. */
  public void change(Map<String, String> peers) throws IOException {
    try (RaftClient client = operator()) {
      checked(client.admin().setConfiguration(RaftNode.peers(peers)));
    }
  }

  /** Looks for the leader until it has found it; for what is asked once and must not be lost. */
  private RaftClient operator() {
    return client(peersNow(), RetryPolicies.retryUpToMaximumCountWithFixedSleep(TRIES, REST));
  }

  private static void checked(RaftClientReply reply) throws IOException {
    if (!reply.isSuccess()) {
      throw why(reply);
    }
  }

  void close() {
    quietly(line.getAndSet(null));
  }
}
