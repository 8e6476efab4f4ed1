package dev.ron.client;

import dev.ron.blake3.Address;
import dev.ron.blake3.Hash;
import dev.ron.blake3.HashTree;
import dev.ron.client.StorageClient.Progress;
import dev.ron.client.StorageClient.Stored;
import dev.ron.kernel.Scope;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One file on its way into a storage, in parts, several at a time.
 *
 * <p>The upload is begun under the file's address, so the storage knows which parts it has from an
 * earlier attempt, and only the others are sent.
 *
 * <p>Threading: {@link #run} is called once; its workers share the counters, which are atomic.
 */
final class FileUpload {
  private static final int WORKERS = 4;

  /** A storage that lost parts while they waited asks for them again; not for ever. */
  private static final int ROUNDS_MAX = 3;

  /** A token that may not list, or machines that are away. */
  private static final Set<Integer> NOT_TOLD = Set.of(401, 403, 503);

  private final StorageClient client;
  private final Scope scope;
  private final Path file;
  private final Progress progress;
  private final AtomicLong done = new AtomicLong();

  FileUpload(StorageClient client, Scope scope, Path file, Progress progress) {
    this.client = client;
    this.scope = scope;
    this.file = file;
    this.progress = progress;
  }

  /** While one of several machines is away, the others cannot say that an object is nowhere. */
  private boolean isThere(Address address) throws IOException, InterruptedException {
    try {
      return client.stat(address).isPresent();
    } catch (ServiceRefusal refused) {
      if (refused.status() == 503) {
        return false;
      }
      throw refused;
    }
  }

  /**
   * What is there may be another tenant's and public: then it goes with that tenant's delete. A
   * listing has what is the caller's own. Where that cannot be asked, the file is sent.
   */
  private boolean isOwn(Address address) throws IOException, InterruptedException {
    try {
      return client.list(before(address), 1).objects().stream()
          .anyMatch(each -> each.address().equals(address.toString()));
    } catch (ServiceRefusal refused) {
      if (NOT_TOLD.contains(refused.status())) {
        return false;
      }
      throw refused;
    }
  }

  /** The address before this one in a listing; null before the first. */
  static @Nullable Address before(Address address) {
    byte[] bytes = address.hash().bytes();
    for (int i = bytes.length - 1; i >= 0; i--) {
      if (bytes[i]-- != 0) {
        return new Address(Hash.of(bytes));
      }
    }
    return null;
  }

  Stored run() throws IOException, InterruptedException {
    long size = Files.size(file);
    Address address = StorageClient.addressOf(file);
    if (isThere(address) && isOwn(address)) {
      progress.at(size, size);
      return new Stored(address.toString(), size);
    }
    if (size <= HashTree.PART_BYTES) {
      Stored stored = client.put(Files.readAllBytes(file));
      progress.at(size, size);
      return stored;
    }
    for (int round = 1; ; round++) {
      StorageClient.Begun begun = client.begin(address);
      send(begun, size);
      try {
        return client.complete(begun.upload(), address, size);
      } catch (ServiceRefusal refused) {
        if (!refused.code().equals("upload-conflict") || round == ROUNDS_MAX) {
          throw refused;
        }
      }
    }
  }

  private void send(StorageClient.Begun begun, long size) throws IOException, InterruptedException {
    var present = new BitSet();
    begun.parts().forEach(run -> present.set(run.get(0), run.get(1) + 1));
    int count = Math.toIntExact(HashTree.parts(size));
    done.set(begun.size());
    progress.at(done.get(), size);
    var next = new AtomicInteger(present.nextClearBit(0));
    var failure = new AtomicReference<@Nullable Exception>();
    List<Thread> workers = new ArrayList<>();
    try (FileChannel from = FileChannel.open(file)) {
      for (int i = 0; i < WORKERS; i++) {
        workers.add(
            scope
                .world()
                .threads()
                .start(
                    scope.service() + "/upload-" + i,
                    () -> work(from, begun.upload(), present, next, count, size, failure)));
      }
      for (Thread worker : workers) {
        worker.join();
      }
    } finally {
      workers.forEach(Thread::interrupt);
    }
    Exception failed = failure.get();
    if (failed != null) {
      throw failed instanceof IOException trouble ? trouble : new IOException(failed);
    }
  }

  private void work(
      FileChannel from,
      String upload,
      BitSet present,
      AtomicInteger next,
      int count,
      long size,
      AtomicReference<@Nullable Exception> failure) {
    try {
      while (failure.get() == null) {
        int part = next.getAndUpdate(now -> present.nextClearBit(now + 1));
        if (part >= count) {
          return;
        }
        byte[] bytes = bytes(from, part, size);
        client.part(upload, part, bytes);
        progress.at(done.addAndGet(bytes.length), size);
      }
    } catch (IOException | InterruptedException | RuntimeException e) {
      failure.compareAndSet(null, e);
    }
  }

  private static byte[] bytes(FileChannel from, int part, long size) throws IOException {
    long at = (long) part * HashTree.PART_BYTES;
    var bytes = new byte[(int) Math.min(HashTree.PART_BYTES, size - at)];
    ByteBuffer into = ByteBuffer.wrap(bytes);
    while (into.hasRemaining()) {
      if (from.read(into, at + into.position()) < 0) {
        throw new IOException("the file became shorter while it was sent");
      }
    }
    return bytes;
  }
}
