package dev.ron.simulator;

import dev.ron.raft.RaftGroup;
import dev.ron.raft.RaftGroupStatus;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Passes everything on to a group; a planted bug overrides what it breaks. */
class WrappedGroup implements RaftGroup {
  private final RaftGroup real;

  WrappedGroup(RaftGroup real) {
    this.real = real;
  }

  @Override
  public int number() {
    return real.number();
  }

  @Override
  public CompletableFuture<Void> propose(ByteBuffer bytes) throws IOException {
    return real.propose(bytes);
  }

  @Override
  public CompletableFuture<Void> proposeToLeader(ByteBuffer bytes) throws IOException {
    return real.proposeToLeader(bytes);
  }

  @Override
  public void tellFollowers() throws IOException {
    real.tellFollowers();
  }

  @Override
  public CompletableFuture<byte[]> ask(byte[] question) {
    return real.ask(question);
  }

  @Override
  public CompletableFuture<byte[]> ask(String peer, byte[] question) {
    return real.ask(peer, question);
  }

  @Override
  public Optional<String> leader() {
    return real.leader();
  }

  @Override
  public RaftGroupStatus status() {
    return real.status();
  }

  @Override
  public void transfer(String to, Duration limit) throws IOException {
    real.transfer(to, limit);
  }

  @Override
  public void stepDown() throws IOException {
    real.stepDown();
  }

  @Override
  public boolean refuses() throws IOException {
    return real.refuses();
  }

  @Override
  public void change(Map<String, String> peers) throws IOException, InterruptedException {
    real.change(peers);
  }
}
