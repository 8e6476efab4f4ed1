package dev.ron.simulator.log;

import dev.ron.raft.RaftGroup;
import dev.ron.raft.RaftGroupStatus;
import dev.ron.raft.RaftStateMachine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;

/**
 * A group of the simulated log as one machine takes part in it.
 *
 * <p>Threading: as {@link RaftGroup} says; all threads take turns on the scheduler's.
 */
final class LogGroup implements RaftGroup {
  private final AgreedLog log;
  private final LogMember self;

  LogGroup(AgreedLog log, LogMember self) {
    this.log = log;
    this.self = self;
  }

  @Override
  public int number() {
    return log.number();
  }

  @Override
  public CompletableFuture<Void> propose(ByteBuffer bytes) throws IOException {
    return log.propose(self, bytes);
  }

  @Override
  public CompletableFuture<Void> proposeToLeader(ByteBuffer bytes) throws IOException {
    LogMember leader = log.member(leader().orElseThrow(this::leaderless));
    if (leader == self) {
      return propose(bytes);
    }
    return log.network()
        .call(
            self.machine,
            leader.machine,
            limit(),
            () -> {
              try {
                return log.propose(leader, bytes);
              } catch (IOException refused) {
                return CompletableFuture.failedFuture(refused);
              }
            });
  }

  private IOException leaderless() {
    return new IOException("group " + number() + " has no leader");
  }

  private Duration limit() {
    return log.election().multipliedBy(3);
  }

  @Override
  public void tellFollowers() {
    if (self.leads) {
      log.tellFollowers(self);
    }
  }

  @Override
  public CompletableFuture<byte[]> ask(byte[] question) {
    Optional<String> leader = leader();
    return leader.isEmpty()
        ? CompletableFuture.failedFuture(leaderless())
        : ask(leader.get(), question);
  }

  @Override
  public CompletableFuture<byte[]> ask(String peer, byte[] question) {
    LogMember asked = log.member(peer);
    return log.network()
        .call(
            self.machine,
            asked.machine,
            limit(),
            () -> {
              RaftStateMachine drives = asked.drives;
              return asked.isHere() && asked.leads && asked.ready && drives != null
                  ? drives.answer(ByteBuffer.wrap(question).asReadOnlyBuffer())
                  : CompletableFuture.failedFuture(new IOException(peer + " does not lead"));
            });
  }

  @Override
  public Optional<String> leader() {
    return quorum() && !self.leader.isEmpty() ? Optional.of(self.leader) : Optional.empty();
  }

  private Duration silence() {
    return self.leads ? Duration.ZERO : Duration.between(self.heard, log.scheduler().now());
  }

  private boolean quorum() {
    return self.leads || (!self.leader.isEmpty() && silence().compareTo(limit()) < 0);
  }

  @Override
  public RaftGroupStatus status() {
    List<RaftGroupStatus.Peer> peers =
        log.members().stream()
            .map(
                each ->
                    new RaftGroupStatus.Peer(
                        each.name(),
                        each.name() + ":1",
                        self.leads ? self.matched.getOrDefault(each.name(), -1L) : -1,
                        self.leads && each != self && !isNear(each)
                            ? limit().multipliedBy(2)
                            : Duration.ZERO))
            .toList();
    return new RaftGroupStatus(
        number(),
        self.leader.isEmpty() ? Optional.empty() : Optional.of(self.leader),
        self.leads && self.ready,
        quorum(),
        self.term,
        silence(),
        self.committed,
        self.applied,
        !self.failed && self.open,
        peers,
        log.members().stream().map(LogMember::name).collect(Collectors.toSet()));
  }

  private boolean isNear(LogMember other) {
    return other.isHere() && log.network().connects(self.machine, other.machine);
  }

  @Override
  public void transfer(String to, Duration limit) throws IOException {
    if (!self.leads) {
      throw new IOException(self.name() + " does not lead");
    }
    self.handsOver = true;
    var done = new CompletableFuture<Boolean>();
    log.scheduler()
        .after(
            log.network().delay(),
            self.boot,
            () -> {
              boolean handed = log.member(to).isHere() && isNear(log.member(to)) && log.elect(to);
              self.handsOver = false;
              done.complete(handed);
            });
    try {
      if (!done.get()) {
        throw new IOException("group %d was not handed to %s".formatted(number(), to));
      }
    } catch (ExecutionException | InterruptedException failed) {
      throw new IOException(failed);
    }
  }

  @Override
  public void stepDown() {
    if (self.leads) {
      log.stepDown(self);
    }
  }

  @Override
  public boolean refuses() {
    return self.leads && self.handsOver;
  }

  @Override
  public void change(Map<String, String> peers) throws IOException {
    throw new IOException(
        "the machines of a simulated group stay as they are: " + Objects.toString(peers));
  }
}
