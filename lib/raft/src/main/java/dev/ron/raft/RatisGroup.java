package dev.ron.raft;

import dev.ron.kernel.time.Time;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
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
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.protocol.exceptions.LeaderSteppingDownException;
import org.apache.ratis.protocol.exceptions.RaftException;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.apache.ratis.util.LifeCycle;
import org.jspecify.annotations.Nullable;

/**
 * A group whose log Ratis keeps.
 *
 * <p>Threading: thread-safe; proposals of one term must come from one thread to be in its order.
 */
final class RatisGroup implements RaftGroup {
  private static final Duration SEEN_FOR = Duration.ofMillis(5);
  private static final Duration REST = Duration.ofMillis(100);

  /** Longer than it takes to find a leader that refuses everything and to elect another. */
  private static final int CHANGE_PATIENCE = 4;

  private final int number;
  private final RaftGroupId id;
  private final RaftServer server;
  private final RaftConnections lines;
  private final Duration silenceMax;
  private final ClientId author = ClientId.randomId();
  private final AtomicLong calls = new AtomicLong();

  private final Time time;
  private final AtomicReference<Instant> heard;
  private final AtomicReference<Seen> seen =
      new AtomicReference<>(new Seen(Optional.empty(), Instant.MIN));

  RatisGroup(
      int number,
      RaftGroupId id,
      RaftServer server,
      RaftConnections lines,
      Duration silenceMax,
      Time time) {
    this.time = time;
    this.heard = new AtomicReference<>(time.now());
    this.number = number;
    this.id = id;
    this.server = server;
    this.lines = lines;
    this.silenceMax = silenceMax;
  }

  @Override
  public int number() {
    return number;
  }

  @Override
  public CompletableFuture<Void> propose(ByteBuffer bytes) throws IOException {
    RaftClientRequest.Type type = RaftClientRequest.writeRequestType();
    return server
        .submitClientRequestAsync(request(author, server.getId(), type, bytes))
        .thenCompose(RatisGroup::granted);
  }

  @Override
  public CompletableFuture<Void> proposeToLeader(ByteBuffer bytes) throws IOException {
    Optional<String> leader = leader();
    if (leader.isEmpty()) {
      throw new IOException("group " + number + " has no leader");
    }
    if (leader.get().equals(server.getId().toString())) {
      return propose(bytes);
    }
    return lines
        .send(
            client ->
                request(
                    client,
                    RaftPeerId.valueOf(leader.get()),
                    RaftClientRequest.writeRequestType(),
                    bytes))
        .thenCompose(RatisGroup::granted);
  }

  @Override
  public void tellFollowers() throws IOException {
    RaftClientRequest.Type type = RaftClientRequest.readRequestType();
    var _ =
        server.submitClientRequestAsync(
            request(author, server.getId(), type, ByteBuffer.allocate(0)));
  }

  private RaftClientRequest request(
      ClientId from, RaftPeerId to, RaftClientRequest.Type type, ByteBuffer bytes) {
    return RaftClientRequest.newBuilder()
        .setClientId(from)
        .setServerId(to)
        .setGroupId(id)
        .setCallId(calls.incrementAndGet())
        .setMessage(Message.valueOf(UnsafeByteOperations.unsafeWrap(bytes)))
        .setType(type)
        .build();
  }

  private static CompletableFuture<Void> granted(RaftClientReply reply) {
    return reply.isSuccess()
        ? CompletableFuture.completedFuture(null)
        : CompletableFuture.failedFuture(why(reply));
  }

  private static IOException why(RaftClientReply reply) {
    return new IOException(String.valueOf(reply.getException()), reply.getException());
  }

  @Override
  public CompletableFuture<byte[]> ask(byte[] question) {
    Optional<String> leader = leader();
    return leader.isEmpty()
        ? CompletableFuture.failedFuture(new IOException("group " + number + " has no leader"))
        : ask(leader.get(), question);
  }

  @Override
  public CompletableFuture<byte[]> ask(String peer, byte[] question) {
    Message message = Message.valueOf(UnsafeByteOperations.unsafeWrap(question));
    return lines
        .ask(peer, message)
        .thenCompose(
            reply ->
                reply.isSuccess()
                    ? CompletableFuture.completedFuture(
                        reply.getMessage().getContent().toByteArray())
                    : CompletableFuture.failedFuture(why(reply)));
  }

  @Override
  public Optional<String> leader() {
    Seen last = seen.get();
    Instant now = time.now();
    if (now.isBefore(last.until())) {
      return last.leader();
    }
    RaftGroupStatus status = status();
    Optional<String> leader = status.quorum() ? status.leader() : Optional.empty();
    seen.set(new Seen(leader, now.plus(SEEN_FOR)));
    return leader;
  }

  private record Seen(Optional<String> leader, Instant until) {}

  @Override
  public RaftGroupStatus status() {
    try {
      RaftServer.Division division = server.getDivision(id);
      DivisionInfo seen = division.getInfo();
      RoleInfoProto role = seen.getRoleInfoProto();
      boolean leads = seen.isLeader() && seen.isLeaderReady();
      RaftPeerId leader = seen.getLeaderId();
      Duration since = sinceLeader(seen, role, leader);
      return new RaftGroupStatus(
          number,
          Optional.ofNullable(leader).map(RaftPeerId::toString),
          leads,
          seen.isLeader() || (leader != null && since.compareTo(silenceMax) < 0),
          seen.getCurrentTerm(),
          since,
          division.getRaftLog().getLastCommittedIndex(),
          seen.getLastAppliedIndex(),
          isAlive(seen.getLifeCycleState()),
          peers(division, role),
          members(division));
    } catch (IOException unknown) {
      return new RaftGroupStatus(
          number,
          Optional.empty(),
          false,
          false,
          0,
          Duration.ofDays(1),
          -1,
          -1,
          false,
          List.of(),
          Set.of());
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

  /** One that is yet to be taken in is starting, and one that fetches the state pauses. */
  private static boolean isAlive(LifeCycle.State state) {
    return state != LifeCycle.State.EXCEPTION && !state.isClosingOrClosed();
  }

  /** A change has two entries, and until the second counts the machines of before decide too. */
  private static Set<String> members(RaftServer.Division division) {
    RaftConfiguration now = division.getRaftConf();
    Collection<RaftPeer> before = now.getPreviousPeers();
    boolean counts = now.getLogEntryIndex() <= division.getRaftLog().getLastCommittedIndex();
    Collection<RaftPeer> members =
        !before.isEmpty() ? before : counts ? now.getCurrentPeers() : List.<RaftPeer>of();
    return members.stream().map(peer -> peer.getId().toString()).collect(Collectors.toSet());
  }

  private static List<RaftGroupStatus.Peer> peers(
      RaftServer.Division division, RoleInfoProto role) {
    Map<String, Long> matched = new HashMap<>();
    Map<String, Duration> silence = new HashMap<>();
    if (role.hasLeaderInfo()) {
      List<ServerRpcProto> followers = role.getLeaderInfo().getFollowerInfoList();
      long[] indices = division.getInfo().getFollowerMatchIndices();
      for (int i = 0; i < followers.size() && indices != null && i < indices.length; i++) {
        String name = followers.get(i).getId().getId().toStringUtf8();
        matched.put(name, indices[i]);
        silence.put(name, Duration.ofMillis(followers.get(i).getLastRpcElapsedTimeMs()));
      }
      matched.put(division.getId().toString(), division.getRaftLog().getFlushIndex());
    }
    return division.getRaftConf().getAllPeers().stream()
        .map(
            peer -> {
              String name = peer.getId().toString();
              return new RaftGroupStatus.Peer(
                  name,
                  peer.getAddress(),
                  matched.getOrDefault(name, -1L),
                  silence.getOrDefault(name, Duration.ZERO));
            })
        .toList();
  }

  @Override
  public void transfer(String to, Duration limit) throws IOException {
    Optional<String> leader = status().leader();
    if (leader.isEmpty()) {
      throw new IOException("group " + number + " has no leader");
    }
    if (leader.get().equals(server.getId().toString())) {
      try {
        checked(handOver(to, limit).join());
      } catch (CompletionException | IOException failed) {
        if (refuses()) {
          stepDown();
        }
        throw new IOException("group %d was not handed to %s".formatted(number, to), failed);
      }
      return;
    }
    try (RaftClient client = lines.once()) {
      checked(
          client
              .admin()
              .transferLeadership(
                  RaftPeerId.valueOf(to), RaftPeerId.valueOf(leader.get()), limit.toMillis()));
    }
  }

  /** As {@link RaftGroup#transfer}, on the leader; fails after {@code limit}. */
  CompletableFuture<RaftClientReply> handOver(String to, Duration limit) throws IOException {
    return stepAside(RaftPeerId.valueOf(to), limit);
  }

  /**
   * @param to null lets the others elect whom they like
   */
  private CompletableFuture<RaftClientReply> stepAside(@Nullable RaftPeerId to, Duration limit)
      throws IOException {
    return server.transferLeadershipAsync(
        new TransferLeadershipRequest(
            author, server.getId(), id, calls.incrementAndGet(), to, limit.toMillis()));
  }

  @Override
  public void stepDown() throws IOException {
    try {
      checked(stepAside(null, silenceMax).join());
    } catch (CompletionException failed) {
      throw new IOException("group %d did not step down".formatted(number), failed);
    }
  }

  /**
   * It is asked for a change that changes nothing. It takes none while it hands over; and if the
   * other cannot be reached at all, Ratis tells that the attempt has failed and goes on refusing,
   * until there is a leader anew.
   */
  @Override
  public boolean refuses() throws IOException {
    List<RaftPeer> now = List.copyOf(server.getDivision(id).getRaftConf().getAllPeers());
    var same =
        SetConfigurationRequest.Arguments.newBuilder()
            .setMode(SetConfigurationRequest.Mode.COMPARE_AND_SET)
            .setServersInCurrentConf(now)
            .setServersInNewConf(now)
            .build();
    try {
      return server
              .setConfigurationAsync(
                  new SetConfigurationRequest(
                      author, server.getId(), id, calls.incrementAndGet(), same))
              .orTimeout(silenceMax.toMillis(), TimeUnit.MILLISECONDS)
              .join()
              .getLeaderSteppingDownException()
          != null;
    } catch (CompletionException | RaftException changing) {
      return false;
    }
  }

  @Override
  public void change(Map<String, String> peers) throws IOException, InterruptedException {
    Instant limit = time.now().plus(silenceMax.multipliedBy(CHANGE_PATIENCE));
    while (true) {
      try (RaftClient client = lines.operator()) {
        checked(client.admin().setConfiguration(RatisNode.peers(peers)));
        return;
      } catch (LeaderSteppingDownException handingOver) {
        if (time.now().isAfter(limit)) {
          throw handingOver;
        }
      }
      time.sleepUntil(time.now().plus(REST));
    }
  }

  private static void checked(RaftClientReply reply) throws IOException {
    if (!reply.isSuccess()) {
      throw why(reply);
    }
  }

  void close() {
    lines.close();
  }
}
