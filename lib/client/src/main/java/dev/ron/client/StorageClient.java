package dev.ron.client;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.blake3.Blake3Hasher;
import dev.ron.blake3.CheckResult;
import dev.ron.blake3.HashTree;
import dev.ron.blake3.bao.Grain;
import dev.ron.blake3.bao.SliceRange;
import dev.ron.blake3.bao.SliceVerifier;
import dev.ron.http.Headers;
import dev.ron.http.client.ClientAnswer;
import dev.ron.http.json.Json;
import dev.ron.kernel.Scope;
import dev.ron.kernel.retry.Backoff;
import dev.ron.kernel.retry.Retry;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Stores and reads objects of a storage, trusting nothing that comes back.
 *
 * <p>What is read is asked for with its proof, and each kilobyte is verified against the address
 * before it is handed on; a storage can therefore fail a reader but not deceive one.
 *
 * <p>Threading: thread-safe; for virtual threads, since calls block.
 */
public final class StorageClient implements AutoCloseable {
  private static final Duration CALL_LIMIT = Duration.ofSeconds(60);

  /** Completing copies the whole object; so does reading one over a slow line. */
  private static final Duration TRANSFER_LIMIT = Duration.ofHours(1);

  /** Read with one proof; a connection that breaks costs at most so much again. */
  private static final long WINDOW_BYTES = 64L << 20;

  private static final int TRIES = 4;

  /** Between two tries: half a second or more, then twice that. */
  private static final Backoff REST =
      new Backoff.Scaled(Duration.ofMillis(500), Duration.ofMillis(750), Duration.ofSeconds(4));

  private static final int STEP_BYTES = 1 << 20;

  private final ServiceClient service;
  private final Scope scope;

  /** An object that is stored. */
  public record Stored(String address, long size) {}

  /** A page of the listing; {@code next} is where the next one goes on, null after the last. */
  public record Page(List<Stored> objects, @Nullable String next) {}

  /** An upload and the runs of parts that are there. */
  record Begun(String upload, List<List<Integer>> parts, long size) {}

  /** Hears how far a transfer is. */
  @FunctionalInterface
  public interface Progress {
    Progress NONE = (_, _) -> {};

    void at(long doneBytes, long totalBytes);
  }

  /**
   * @param token a capability, or nothing
   */
  public StorageClient(Scope scope, URI base, String token) throws IOException {
    this(
        ServiceClient.to(scope, "storage", base, token)
            .retrying(Retry.idempotent(scope, "storage", TRIES, REST)));
  }

  /**
   * Every request of a storage may be repeated; whether it is, the service's {@code Retry} says.
   */
  public StorageClient(ServiceClient service) {
    this.service = service;
    this.scope = service.scope();
  }

  public static Address addressOf(Path file) throws IOException {
    var hasher = new Blake3Hasher();
    byte[] step = new byte[STEP_BYTES];
    try (InputStream in = Files.newInputStream(file)) {
      for (int n = in.readNBytes(step, 0, step.length);
          n > 0;
          n = in.readNBytes(step, 0, step.length)) {
        hasher.update(step, 0, n);
      }
    }
    return new Address(hasher.hash());
  }

  /** Stores an object of up to 1 MiB in one request. */
  public Stored put(byte[] object) throws IOException, InterruptedException {
    if (object.length > HashTree.PART_BYTES) {
      throw new IllegalArgumentException(object.length + " bytes: store a file or a stream");
    }
    var address = new Address(Blake3.hash(object));
    return read("PUT", "/o/" + address, object, CALL_LIMIT, Stored.class);
  }

  /**
   * Stores a file of any size, parts in parallel; one that was interrupted goes on where it was,
   * from whichever machine. A file that is stored already is not sent.
   */
  public Stored put(Path file, Progress progress) throws IOException, InterruptedException {
    return new FileUpload(this, scope, file, progress).run();
  }

  /** Stores a stream of unknown length, part after part. */
  public Stored put(InputStream in, Progress progress) throws IOException, InterruptedException {
    String upload = begin(null).upload();
    long done = 0;
    byte[] part = in.readNBytes(HashTree.PART_BYTES);
    for (int index = 0; part.length > 0; index++) {
      part(upload, index, part);
      done += part.length;
      progress.at(done, done);
      part = in.readNBytes(HashTree.PART_BYTES);
    }
    return complete(upload, null, done);
  }

  /** The size of an object, or nothing if it is not there. */
  public OptionalLong stat(Address address) throws IOException, InterruptedException {
    try (ClientAnswer answer = send("HEAD", "/o/" + address, CALL_LIMIT)) {
      String length = answer.headers().first("Content-Length");
      if (length == null) {
        throw new IOException("the storage did not say how long " + address + " is");
      }
      return OptionalLong.of(Long.parseLong(length));
    } catch (ServiceRefusal refused) {
      if (refused.status() == 404) {
        return OptionalLong.empty();
      }
      throw refused;
    }
  }

  /**
   * The bytes as the storage has them, not verified, to be read while they come.
   *
   * @param stall how long the storage may be silent, before its head and between two pieces
   */
  public ClientAnswer open(Address address, Duration stall)
      throws IOException, InterruptedException {
    return service.send("GET", "/o/" + address, new Headers(1), new byte[0], TRANSFER_LIMIT, stall);
  }

  /**
   * Reads a whole object; every byte is verified before it is written.
   *
   * @return how many bytes it has
   */
  public long get(Address address, OutputStream to, Progress progress)
      throws IOException, InterruptedException {
    OptionalLong size = stat(address);
    if (size.isEmpty()) {
      throw ServiceRefusal.of(404, "not-found", address + " is not stored there");
    }
    long total = size.getAsLong();
    var out = new CountedOutput(to, done -> progress.at(done, total));
    int failures = 0;
    do {
      long before = out.written();
      try {
        window(address, before, Math.min(WINDOW_BYTES, total - before), total, out);
      } catch (ServiceRefusal refused) {
        throw refused;
      } catch (IOException broken) {
        failures = out.written() > before ? 1 : failures + 1;
        if (failures == TRIES || out.broken()) {
          throw broken;
        }
        scope.time().sleepUntil(scope.time().now().plus(REST.delay(failures, scope.chance())));
      }
    } while (out.written() < total);
    return total;
  }

  /** Verifies an object end to end, keeping nothing. */
  public long verify(Address address, Progress progress) throws IOException, InterruptedException {
    return get(address, OutputStream.nullOutputStream(), progress);
  }

  private void window(Address address, long from, long length, long total, OutputStream to)
      throws IOException, InterruptedException {
    var headers = new Headers(1);
    if (length > 0 && length < total) {
      headers.add("Range", "bytes=%d-%d".formatted(from, from + length - 1));
    }
    String path = "/o/" + address + "?proof=bao";
    try (ClientAnswer answer =
        service.send("GET", path, headers, new byte[0], TRANSFER_LIMIT, ServiceClient.PATIENT)) {
      var range = new SliceRange(from, length);
      CheckResult<SliceVerifier.Proof> proof =
          SliceVerifier.verifyKnownLength(address.hash(), range, Grain.CHUNK, total, answer, to);
      if (proof instanceof CheckResult.Bad<SliceVerifier.Proof>(var fault)) {
        throw new IOException("what came is not %s: %s".formatted(address, fault.code()));
      }
    }
  }

  public Page list(@Nullable Address after, int max) throws IOException, InterruptedException {
    String path = "/o?limit=" + max + (after == null ? "" : "&after=" + after);
    return read("GET", path, new byte[0], CALL_LIMIT, Page.class);
  }

  /** Where repair stands. */
  public RepairStatus repair() throws IOException, InterruptedException {
    return read("GET", "/repair", new byte[0], CALL_LIMIT, RepairStatus.class);
  }

  /** False if it was not there. */
  public boolean delete(Address address) throws IOException, InterruptedException {
    try {
      send("DELETE", "/o/" + address, CALL_LIMIT).close();
      return true;
    } catch (ServiceRefusal refused) {
      if (refused.status() == 404) {
        return false;
      }
      throw refused;
    }
  }

  Begun begin(@Nullable Address address) throws IOException, InterruptedException {
    byte[] body =
        address == null
            ? new byte[0]
            : Json.plain().write(new UploadBody(address.toString(), null));
    return read("POST", "/o/uploads", body, CALL_LIMIT, Begun.class);
  }

  void part(String upload, int index, byte[] bytes) throws IOException, InterruptedException {
    read("PUT", "/o/uploads/" + upload + "/" + index, bytes, CALL_LIMIT, PartSent.class);
  }

  Stored complete(String upload, @Nullable Address address, long size)
      throws IOException, InterruptedException {
    byte[] body =
        Json.plain().write(new UploadBody(address == null ? null : address.toString(), size));
    return read("POST", "/o/uploads/" + upload + "/complete", body, TRANSFER_LIMIT, Stored.class);
  }

  private record UploadBody(@Nullable String address, @Nullable Long size) {}

  private record PartSent(int part, int size) {}

  private ClientAnswer send(String method, String path, Duration limit)
      throws IOException, InterruptedException {
    return service.send(method, path, new Headers(1), new byte[0], limit, ServiceClient.PATIENT);
  }

  private <T> T read(String method, String path, byte[] body, Duration limit, Class<T> type)
      throws IOException, InterruptedException {
    return service.read(method, path, new Headers(1), body, limit, type);
  }

  @Override
  public void close() {
    service.close();
  }
}
