package dev.ron.bench.tenant;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.ron.bench.process.ChildJvmCommand;
import dev.ron.bench.process.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Loud tenants at one door: {@link LoudTenantsMain}, until closed.
 *
 * <p>Threading: owned by the benchmark's thread.
 */
final class LoudTenants implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final long LOOK_MILLIS = 20;

  private final ChildProcess process;

  /** How many answers each tenant got in the time that was counted, and refusals of all. */
  record Counts(List<Long> answered, long refused) {
    Counts {
      answered = List.copyOf(answered);
    }

    double share(int tenant) {
      return answered.get(tenant) / sum();
    }

    double sum() {
      return answered.stream().mapToLong(Long::longValue).sum();
    }
  }

  private LoudTenants(ChildProcess process) {
    this.process = process;
  }

  /** Returns when each of the connections was answered once. */
  static LoudTenants begin(
      Path folder, int port, List<TenantRequest> tenants, int connections, Duration counted)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>();
    arguments.add("" + port);
    arguments.add("" + connections);
    arguments.add("" + counted.toMillis());
    // Unlike any that was used before at this node, by this program or an earlier start of it.
    arguments.add("" + (System.currentTimeMillis() << 20 & Long.MAX_VALUE >> 8));
    for (TenantRequest tenant : tenants) {
      Path file = Files.createTempFile(folder, "loud", ".request");
      Files.writeString(file, tenant.text(), ISO_8859_1);
      arguments.add(file.toString());
    }
    var command = ChildJvmCommand.command(LoudTenantsMain.class, arguments.toArray(String[]::new));
    Path log = Files.createTempFile(folder, "loud", ".log");
    var loud = new LoudTenants(ChildProcess.start("loud", command, log));
    try {
      loud.awaitLine(LoudTenantsMain.READY);
      return loud;
    } catch (IOException | InterruptedException failed) {
      loud.close();
      throw failed;
    }
  }

  /** Waits until the time that is counted is over. */
  Counts counts() throws IOException, InterruptedException {
    String[] answered = awaitLine(LoudTenantsMain.ANSWERED).split(" ", -1);
    String[] refused = awaitLine(LoudTenantsMain.REFUSED).split(" ", -1);
    return new Counts(
        Arrays.stream(answered).skip(1).map(Long::valueOf).toList(), Long.parseLong(refused[1]));
  }

  private String awaitLine(String start) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (System.nanoTime() - deadline < 0) {
      Optional<String> line =
          process.output().lines().filter(each -> each.startsWith(start)).findFirst();
      if (line.isPresent()) {
        return line.get();
      }
      requireRunning();
      var _ = new CountDownLatch(1).await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }
    throw new IOException("the loud tenants did not say " + start + "\n" + process.output());
  }

  /** Whether it still asks; what it said where it does not. */
  void requireRunning() throws IOException {
    if (!ProcessHandle.of(process.pid()).map(ProcessHandle::isAlive).orElse(false)) {
      throw new IOException("the loud tenants have ended\n" + process.output());
    }
  }

  @Override
  public void close() {
    process.close();
  }
}
