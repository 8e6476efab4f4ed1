package dev.ron.raft;

import dev.ron.kernel.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.exceptions.AlreadyClosedException;
import org.apache.ratis.protocol.exceptions.TimeoutIOException;
import org.apache.ratis.retry.RetryPolicies;
import org.apache.ratis.retry.RetryPolicy;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.thirdparty.io.grpc.StatusRuntimeException;
import org.apache.ratis.util.TimeDuration;
import org.jspecify.annotations.Nullable;

/**
 * The way from this machine to the others of a group, for questions.
 *
 * <p>Threading: thread-safe.
 */
final class RaftConnections {
  private static final int TRIES = 30;
  private static final TimeDuration REST = RatisProperties.time(Duration.ofMillis(200));

  /** While a machine cannot be reached at all, a new line this often is often enough. */
  private static final Duration LINE_AGE_MIN = Duration.ofMillis(300);

  private final RaftGroupId id;
  private final RaftServer server;
  private final Parameters parameters;
  private final List<RaftPeer> known;
  private final Time time;
  private final AtomicReference<@Nullable Line> line = new AtomicReference<>();

  /**
   * Good for as long as the machines are these.
   *
   * @param broken Ratis does not make a closed connection anew by itself, and gRPC rests for longer
   *     and longer before it does
   */
  private record Line(
      List<RaftPeer> peers, RaftClient client, Instant made, AtomicBoolean broken) {}

  /**
   * @param known the machines as they were written down, for one that has not joined yet
   */
  RaftConnections(
      RaftGroupId id, RaftServer server, Parameters parameters, List<RaftPeer> known, Time time) {
    this.time = time;
    this.id = id;
    this.server = server;
    this.parameters = parameters;
    this.known = List.copyOf(known);
  }

  CompletableFuture<RaftClientReply> ask(String peer, Message message) {
    Line open = line();
    return open.client()
        .async()
        .sendReadOnlyUnordered(message, RaftPeerId.valueOf(peer))
        .whenComplete((_, failure) -> mark(open, failure));
  }

  /**
   * Sends a request as it is.
   *
   * @param made from the name under which the line is known
   */
  CompletableFuture<RaftClientReply> send(Function<ClientId, RaftClientRequest> made) {
    Line open = line();
    return open.client()
        .getClientRpc()
        .sendRequestAsyncUnordered(made.apply(open.client().getId()))
        .whenComplete((_, failure) -> mark(open, failure));
  }

  /** The machine at the other end was restarted; the next question finds it by a new line. */
  private void mark(Line open, @Nullable Throwable failure) {
    boolean young = time.now().isBefore(open.made().plus(LINE_AGE_MIN));
    for (Throwable each = failure; each != null; each = each.getCause()) {
      boolean unreached =
          each instanceof StatusRuntimeException || each instanceof TimeoutIOException;
      if (each instanceof AlreadyClosedException || (unreached && !young)) {
        open.broken().set(true);
      }
    }
  }

  private Line line() {
    List<RaftPeer> peers = peersNow();
    Line open = line.get();
    if (open != null && open.peers().equals(peers) && !open.broken().get()) {
      return open;
    }
    var made =
        new Line(peers, client(peers, RetryPolicies.noRetry()), time.now(), new AtomicBoolean());
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

  /** For what is asked of the leader that is known, and not again. */
  RaftClient once() {
    return client(peersNow(), RetryPolicies.noRetry());
  }

  /** Looks for the leader until it has found it; for what is asked once and must not be lost. */
  RaftClient operator() {
    return client(peersNow(), RetryPolicies.retryUpToMaximumCountWithFixedSleep(TRIES, REST));
  }

  private RaftClient client(List<RaftPeer> peers, RetryPolicy retries) {
    return RaftClient.newBuilder()
        .setRaftGroup(org.apache.ratis.protocol.RaftGroup.valueOf(id, peers))
        .setProperties(server.getProperties())
        .setParameters(parameters)
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

  void close() {
    quietly(line.getAndSet(null));
  }
}
