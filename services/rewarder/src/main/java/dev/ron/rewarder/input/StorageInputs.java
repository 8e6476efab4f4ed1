package dev.ron.rewarder.input;

import dev.ron.blake3.Address;
import dev.ron.http.CorrelationId;
import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.client.ClientAnswer;
import dev.ron.http.client.ClientRequest;
import dev.ron.http.client.HttpClient;
import dev.ron.kernel.Scope;
import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.DiskFile;
import dev.ron.kernel.fault.KernelFault;
import dev.ron.kernel.retry.Backoff;
import dev.ron.kernel.retry.Retry;
import dev.ron.kernel.stream.BlockStream;
import dev.ron.kernel.time.Deadline;
import dev.ron.rewarder.RewarderFault;
import dev.ron.rewarder.RewarderFaultException;
import dev.ron.rewarder.file.DiskOutput;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A storage service, asked over plain HTTP: {@code GET /o/{address}}.
 *
 * <p>Asking again is harmless, so a storage that does not answer, or is busy, is asked up to three
 * times. A body that breaks off or stalls in the middle fails the run, which can be asked for
 * again.
 *
 * <p>Threading: thread-safe, as the client is.
 */
public final class StorageInputs implements SealedInputs {
  private static final int TRIES_MAX = 3;

  /** A large input over a slow line that keeps moving. */
  private static final Duration BODY_LIMIT = Duration.ofHours(1);

  private final Scope scope;
  private final HttpClient client;
  private final String url;
  private final Supplier<String> capability;
  private final Duration stall;
  private final Disk disk;
  private final Retry retry;
  private final StorageHealth health;
  private final String corrId;

  /**
   * @param capability shown to the storage, asked for each request; empty for none
   * @param stall how long it may be silent, before its head and between two pieces
   * @param disk where a spool goes
   */
  public StorageInputs(
      Scope scope,
      HttpClient client,
      String url,
      Supplier<String> capability,
      Duration stall,
      Disk disk) {
    this(scope, client, url, capability, stall, disk, new StorageHealth(scope), "");
  }

  private StorageInputs(
      Scope scope,
      HttpClient client,
      String url,
      Supplier<String> capability,
      Duration stall,
      Disk disk,
      StorageHealth health,
      String corrId) {
    this.scope = scope;
    this.client = client;
    this.url = url;
    this.capability = capability;
    this.stall = stall;
    this.disk = disk;
    this.health = health;
    this.corrId = corrId;
    this.retry =
        Retry.idempotent(
            scope,
            "input",
            TRIES_MAX,
            new Backoff.Scaled(
                Duration.ofMillis(100), Duration.ofMillis(250), Duration.ofSeconds(1)));
  }

  @Override
  public SealedInputs forRun(String runKey) {
    return new StorageInputs(scope, client, url, capability, stall, disk, health, runKey);
  }

  @Override
  public InputStream open(Address address) throws IOException, InterruptedException {
    try {
      ClientAnswer answer =
          retry.call(
              () -> ask(address),
              failure -> failure instanceof Refusal || failure instanceof NotNow);
      return new SealedStream(new Body(answer, address), address);
    } catch (Refusal | NotNow down) {
      health.failed(String.valueOf(down.getMessage()));
      throw unavailable(address, down.getMessage());
    } catch (IOException | InterruptedException | RuntimeException other) {
      throw other;
    } catch (Exception impossible) {
      throw new IllegalStateException("asking storage", impossible);
    }
  }

  private ClientAnswer ask(Address address) throws IOException, InterruptedException {
    var headers = new Headers();
    String shown = capability.get();
    if (!shown.isEmpty()) {
      headers.add("Authorization", "Bearer " + shown);
    }
    if (!corrId.isEmpty()) {
      headers.add(CorrelationId.HEADER, corrId);
    }
    URI uri = URI.create(url + "/o/" + address);
    ClientAnswer answer = send(ClientRequest.of("GET", uri, headers, new byte[0]));
    if (answer.status() == 200) {
      return answer;
    }
    answer.close();
    if (answer.status() == 404) {
      health.answered();
      throw new RewarderFaultException(new RewarderFault.Unknown("input " + address));
    }
    String words = "it answered " + answer.status();
    if (answer.status() == 429 || answer.status() >= 500) {
      throw new NotNow(words);
    }
    throw unavailable(address, words);
  }

  private ClientAnswer send(ClientRequest request) throws IOException, InterruptedException {
    try {
      Deadline limit = Deadline.in(BODY_LIMIT, scope.time());
      return client.send(request, limit, stall, ClientAnswer.InterimListener.NONE);
    } catch (Refusal silent) {
      count(silent);
      throw silent;
    }
  }

  private void count(Refusal refusal) {
    if (refusal.fault() instanceof KernelFault.Timeout) {
      scope.counters().ioTimeouts().labelValues("input").inc();
    }
  }

  private static RewarderFaultException unavailable(Address address, @Nullable String words) {
    return new RewarderFaultException(
        new RewarderFault.InputUnavailable(
            "storage did not answer for %s: %s".formatted(address, words)));
  }

  /** A body that breaks off is a fault of the storage, and reported as one. */
  private final class Body extends BlockStream {
    private final InputStream answer;
    private final Address address;

    Body(InputStream answer, Address address) {
      this.answer = answer;
      this.address = address;
    }

    @Override
    protected int block(byte[] into, int offset, int length) throws IOException {
      try {
        int count = answer.read(into, offset, length);
        if (count < 0) {
          health.answered();
        }
        return count;
      } catch (Refusal broken) {
        count(broken);
        health.failed(String.valueOf(broken.getMessage()));
        throw unavailable(address, broken.getMessage());
      }
    }

    @Override
    public void close() throws IOException {
      answer.close();
    }
  }

  /** An answer that may change in a moment. */
  private static final class NotNow extends IOException {
    private static final long serialVersionUID = 1;

    NotNow(String words) {
      super(words);
    }
  }

  @Override
  public DiskFile file(Address address, Path spool) throws IOException, InterruptedException {
    try (InputStream in = open(address);
        var out = new DiskOutput(disk.open(spool))) {
      byte[] step = new byte[64 << 10];
      for (int count = in.read(step); count >= 0; count = in.read(step)) {
        out.put(step, 0, count);
      }
    }
    return disk.openReadOnly(spool);
  }
}
