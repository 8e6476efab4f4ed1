package dev.ron.simulator;

import dev.ron.raft.RaftEntry;
import dev.ron.raft.RaftStateMachine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Passes everything on to a state machine; a planted bug overrides what it breaks. */
class WrappedMachine implements RaftStateMachine {
  final RaftStateMachine real;

  WrappedMachine(RaftStateMachine real) {
    this.real = real;
  }

  @Override
  public void start(byte[] kept, long term, long index) throws IOException {
    real.start(kept, term, index);
  }

  @Override
  public Optional<Fetched> founded() throws IOException {
    return real.founded();
  }

  @Override
  public void apply(RaftEntry entry) throws Exception {
    real.apply(entry);
  }

  @Override
  public void pass(long term, long index) {
    real.pass(term, index);
  }

  @Override
  public void lead(long term) {
    real.lead(term);
  }

  @Override
  public void follow() {
    real.follow();
  }

  @Override
  public byte[] keep() throws IOException {
    return real.keep();
  }

  @Override
  public CompletableFuture<byte[]> answer(ByteBuffer question) {
    return real.answer(question);
  }

  @Override
  public Fetched fetch(String leader) throws IOException, InterruptedException {
    return real.fetch(leader);
  }
}
