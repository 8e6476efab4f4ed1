package dev.ron.rewarder.input;

import dev.ron.blake3.Address;
import dev.ron.capability.Macaroon;
import dev.ron.capability.MacaroonCodec;
import dev.ron.capability.caveat.Caveat;
import dev.ron.capability.caveat.Owner;
import dev.ron.client.ServiceClient;
import dev.ron.client.ServiceRefusal;
import dev.ron.client.StorageClient;
import dev.ron.http.CorrelationId;
import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.kernel.Scope;
import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.DiskFile;
import dev.ron.kernel.retry.Backoff;
import dev.ron.kernel.retry.Retry;
import dev.ron.kernel.stream.BlockStream;
import dev.ron.rewarder.RewarderFault;
import dev.ron.rewarder.RewarderFaultException;
import dev.ron.rewarder.file.DiskOutput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A storage service: {@code GET /o/{address}}, verified to the last byte here.
 *
 * <p>Asking again is harmless, so a storage that does not answer, or is busy, is asked up to three
 * times. A body that breaks off or stalls in the middle fails the run, which can be asked for
 * again.
 *
 * <p>Threading: thread-safe, as the client is.
 */
public final class StorageInputs implements SealedInputs {
  private static final int TRIES_MAX = 3;

  private static final Backoff REST =
      new Backoff.Scaled(Duration.ofMillis(100), Duration.ofMillis(250), Duration.ofSeconds(1));

  private final ServiceClient service;
  private final StorageClient storage;
  private final Duration stall;
  private final Disk disk;
  private final StorageHealth health;

  /**
   * @param stall how long the storage may be silent, before its head and between two pieces
   * @param disk where a spool goes
   */
  public StorageInputs(Scope scope, ServiceClient service, Duration stall, Disk disk) {
    this(
        service.retrying(Retry.idempotent(scope, "input", TRIES_MAX, REST)),
        stall,
        disk,
        new StorageHealth(scope));
  }

  private StorageInputs(ServiceClient service, Duration stall, Disk disk, StorageHealth health) {
    this.service = service;
    this.storage = new StorageClient(service);
    this.stall = stall;
    this.disk = disk;
    this.health = health;
  }

  @Override
  public SealedInputs forRun(String runKey, Owner reader) {
    Headers run = Headers.of(CorrelationId.HEADER, runKey);
    ServiceClient shown = service.onBehalfOf(run).showing(token -> narrowed(token, reader));
    return new StorageInputs(shown, stall, disk, health);
  }

  /** The rewarder's own token reads everything; what a tenant's run reads is the tenant's. */
  private static String narrowed(String token, Owner reader) {
    String tenant = reader.tenant();
    if (tenant == null || token.isEmpty()) {
      return token;
    }
    return switch (MacaroonCodec.decode(token)) {
      case MacaroonCodec.Decoding.Decoded(Macaroon own) ->
          own.attenuate(new Caveat.Tenant(tenant)).token();
      // The storage says so in its own words.
      case MacaroonCodec.Decoding.Failed _ -> token;
    };
  }

  @Override
  public InputStream open(Address address) throws IOException, InterruptedException {
    try {
      return new SealedStream(new Body(storage.open(address, stall), address), address);
    } catch (ServiceRefusal refused) {
      if (refused.status() == 404) {
        health.answered();
        throw new RewarderFaultException(new RewarderFault.Unknown("input " + address));
      }
      String words = "it answered " + refused.status();
      if (refused.mayPass()) {
        health.failed(words);
      }
      throw unavailable(address, words);
    } catch (Refusal down) {
      health.failed(String.valueOf(down.getMessage()));
      throw unavailable(address, down.getMessage());
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
        service.count(broken);
        health.failed(String.valueOf(broken.getMessage()));
        throw unavailable(address, broken.getMessage());
      }
    }

    @Override
    public void close() throws IOException {
      answer.close();
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
