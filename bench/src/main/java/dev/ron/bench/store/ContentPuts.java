package dev.ron.bench.store;

import dev.ron.content.store.SegmentConfig;
import dev.ron.content.store.SegmentStore;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.Tree;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Durable puts of small objects, by many at once: into a content store, or into a file each.
 *
 * <p>A file each is what a store without segments does: create, write, fsync, rename. Not even the
 * folder is flushed after the rename, which is less than the store promises.
 *
 * <p>Threading: owned by the benchmark's thread; the puts are done by virtual threads.
 */
final class ContentPuts implements AutoCloseable {
  private static final double NANOS_PER_SECOND = 1e9;

  private final Scope scope = Scope.of("bench", World.real(Log.silent()));
  private final Path files;
  private final SegmentStore store;
  private final Tree tasks;
  private final AtomicLong numbers = new AtomicLong();

  /** Puts the object of this number; each number is put once. */
  private interface Put {
    void once(long number) throws IOException, InterruptedException;
  }

  ContentPuts(Path folder) throws IOException, InterruptedException {
    this.files = Files.createDirectory(folder.resolve("files"));
    this.store = SegmentStore.open(scope, SegmentConfig.in(folder.resolve("store")));
    this.tasks = started();
  }

  private Tree started() throws IOException, InterruptedException {
    try {
      return store.tasks().start(scope);
    } catch (IOException | InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("the store does not start", e);
    }
  }

  /** Objects of {@code bytes} put in a second, by so many writers for so long. */
  double storeRate(int bytes, int writers, Duration time) throws IOException, InterruptedException {
    return rate(writers, time, number -> store.put(stream(number, bytes)).orThrow());
  }

  double fileRate(int bytes, int writers, Duration time) throws IOException, InterruptedException {
    return rate(writers, time, number -> file(number, bytes));
  }

  /** Puts so many objects of {@code bytes}, however long that takes. */
  void fill(int objects, int bytes, int writers) throws IOException, InterruptedException {
    long end = numbers.get() + objects;
    together(
        writers,
        () -> {
          for (long n = numbers.getAndIncrement(); n < end; n = numbers.getAndIncrement()) {
            store.put(stream(n, bytes)).orThrow();
          }
          return null;
        });
  }

  private double rate(int writers, Duration time, Put put)
      throws IOException, InterruptedException {
    var done = new LongAdder();
    long begin = System.nanoTime();
    together(
        writers,
        () -> {
          while (System.nanoTime() - begin < time.toNanos()) {
            put.once(numbers.getAndIncrement());
            done.increment();
          }
          return null;
        });
    return done.sum() * NANOS_PER_SECOND / (System.nanoTime() - begin);
  }

  private void together(int writers, Callable<Void> loop) throws IOException, InterruptedException {
    var failure = new AtomicReference<@Nullable Exception>();
    var started = new ArrayList<Thread>();
    for (int i = 0; i < writers; i++) {
      Runnable body =
          () -> {
            try {
              loop.call();
            } catch (Exception e) {
              failure.compareAndSet(null, e);
            }
          };
      started.add(scope.world().threads().start("writer-" + i, body));
    }
    for (Thread writer : started) {
      writer.join();
    }
    Exception first = failure.get();
    if (first != null) {
      throw new IOException("a put failed", first);
    }
  }

  /** The bytes of both sides are the same for the same number. */
  private static byte[] object(long number, int bytes) {
    return ByteBuffer.allocate(Math.max(bytes, Long.BYTES)).putLong(number).array();
  }

  private static ByteArrayInputStream stream(long number, int bytes) {
    return new ByteArrayInputStream(object(number, bytes));
  }

  private void file(long number, int bytes) throws IOException {
    Path part = files.resolve(number + ".part");
    try (var file =
        FileChannel.open(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.wrap(object(number, bytes)));
      file.force(true);
    }
    Files.move(part, files.resolve(Long.toString(number)), StandardCopyOption.ATOMIC_MOVE);
  }

  /** Ends the store in order, with a snapshot. */
  @Override
  public void close() throws IOException {
    try {
      tasks.drain();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the store drained", e);
    }
    store.close();
  }
}
