package dev.ron.bench.queue;

import dev.ron.bench.load.LoopbackConnection;
import dev.ron.bench.process.CpuTime;
import java.io.IOException;
import java.util.function.Supplier;

/**
 * The mailbox of a whole node, which is asked with a capability and ended by its owner.
 *
 * <p>Threading: immutable.
 *
 * @param cpu CPU time of the node so far
 */
public record NodeMailbox(int port, String capability, Supplier<CpuTime> cpu)
    implements QueueServer {
  @Override
  public QueueLine line() throws IOException {
    String fields = "Authorization: Bearer " + capability + "\r\n";
    return new MailboxTarget.Line(new LoopbackConnection(port), "bench", fields);
  }

  @Override
  public CpuTime cpuTime() {
    return cpu.get();
  }

  @Override
  public void close() {}
}
