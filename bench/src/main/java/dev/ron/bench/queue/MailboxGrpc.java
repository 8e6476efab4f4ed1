package dev.ron.bench.queue;

import dev.ron.bench.load.LoopbackConnection;
import dev.ron.bench.process.CpuTime;
import java.io.IOException;

/**
 * The door of a running mailbox that speaks gRPC.
 *
 * <p>Threading: immutable; closing it leaves the mailbox to whoever started it.
 */
record MailboxGrpc(MailboxTarget mailbox) implements QueueServer {
  @Override
  public QueueLine line() throws IOException {
    return new GrpcLine(new LoopbackConnection(mailbox.port()));
  }

  @Override
  public CpuTime cpuTime() {
    return mailbox.cpuTime();
  }

  @Override
  public void close() {
    // the mailbox is not ours to end
  }
}
