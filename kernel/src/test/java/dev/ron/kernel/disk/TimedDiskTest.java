package dev.ron.kernel.disk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.time.VirtualTime;
import dev.ron.kernel.time.Waiter;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which operations are overdue, and who is told. */
final class TimedDiskTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final Map<Class<?>, Object> NOTHING =
      Map.of(boolean.class, false, int.class, 0, long.class, 0L, List.class, List.of());

  @TempDir private Path folder;
  private final VirtualTime time = new VirtualTime();
  private final List<Duration> told = new ArrayList<>();

  @Test
  void anOperationPastTheLimitIsToldOnceAndForgottenWhenItIsBack() throws Exception {
    Path file = Files.write(folder.resolve("f"), new byte[100]);
    var during = new AtomicReference<Runnable>(() -> {});
    var disk = new TimedDisk(listing(() -> during.get().run()), time, LIMIT);
    during.set(
        () -> {
          time.advance(LIMIT.minusMillis(1));
          assertThat(disk.sweep()).isZero();
          assertThat(disk.stall()).isEmpty();
          time.advance(Duration.ofMillis(1));
          assertThat(disk.sweep()).isOne();
          assertThat(disk.sweep()).as("found before").isZero();
          time.advance(Duration.ofSeconds(12));
          assertThat(disk.sweep()).isZero();
          assertThat(disk.overdue()).isOne();
          assertThat(disk.stall())
              .contains("the disk has not answered a list of %s for 42 s".formatted(folder));
        });
    Waiter waiter = told::add;
    assertThat(waiter.call(() -> disk.list(folder))).containsExactly(file);
    assertThat(told).containsExactly(LIMIT);
    assertThat(disk.sweep()).isZero();
    assertThat(disk.overdue()).isZero();
    assertThat(disk.stall()).isEmpty();
  }

  @Test
  void whatComesBackInTimeIsOverdueForNone() throws Exception {
    var disk = new TimedDisk(new RealDisk(), time, LIMIT);
    try (DiskFile file = disk.open(folder.resolve("g"))) {
      for (int i = 0; i < 2000; i++) {
        file.write(ByteBuffer.wrap(new byte[] {1}), i);
      }
      file.flush();
      time.advance(LIMIT.multipliedBy(2));
      assertThat(disk.sweep()).isZero();
      assertThat(file.size()).isEqualTo(2000);
    }
  }

  @Test
  void aFlushIsAWaitAndWhatIsMostlyInMemoryIsNone() throws Exception {
    var disk = new TimedDisk(new RealDisk(), time, LIMIT);
    var waits = new ArrayList<String>();
    var doing = new AtomicReference<>("");
    var waiter =
        new Waiter() {
          @Override
          public void giveUp(Duration after) {}

          @Override
          public void pauses() {
            waits.add(doing.get());
          }
        };
    int read =
        waiter.call(
            () -> {
              try (DiskFile file = disk.open(folder.resolve("h"))) {
                doing.set("write");
                file.write(ByteBuffer.wrap(new byte[] {1}), 0);
                doing.set("flush");
                file.flush();
                doing.set("flush of the folder");
                disk.flushDirectory(folder);
                doing.set("read");
                return file.read(ByteBuffer.allocate(1), 0);
              }
            });
    assertThat(read).isOne();
    assertThat(waits).containsExactly("flush", "flush of the folder");
  }

  static Stream<Method> operations() {
    return Stream.of(Disk.class, DiskFile.class)
        .flatMap(type -> Stream.of(type.getMethods()))
        .filter(method -> Modifier.isAbstract(method.getModifiers()));
  }

  /** Also one that is added later: whatever asks the disk may hang. */
  @ParameterizedTest
  @MethodSource("operations")
  void everyOperationOfADiskAndOfAFileIsTimed(Method operation) throws Exception {
    var hangs = new AtomicReference<>(false);
    var timed = new AtomicReference<TimedDisk>();
    Runnable hang =
        () -> {
          if (hangs.get()) {
            time.advance(LIMIT);
            assertThat(timed.get().sweep()).as(operation.getName()).isOne();
          }
        };
    timed.set(new TimedDisk(proxy(Disk.class, hang), time, LIMIT));
    boolean ofFile = operation.getDeclaringClass() != Disk.class;
    Object asked = ofFile ? timed.get().open(folder) : timed.get();
    hangs.set(true);
    Waiter waiter = told::add;
    waiter.call(() -> operation.invoke(asked, arguments(operation)));
    assertThat(told).as(operation.toString()).containsExactly(LIMIT);
  }

  private Object[] arguments(Method operation) {
    return Stream.of(operation.getParameterTypes())
        .map(type -> type == Path.class ? folder : type == long.class ? 0L : ByteBuffer.allocate(1))
        .toArray();
  }

  /** Does this for every call, and answers nothing. */
  private static <T> T proxy(Class<T> type, Runnable then) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, _) -> {
              then.run();
              return method.getReturnType() == DiskFile.class
                  ? proxy(DiskFile.class, then)
                  : NOTHING.get(method.getReturnType());
            }));
  }

  /** The machine's disk, which does this when it is asked to list a folder. */
  private static Disk listing(Runnable then) {
    var real = new RealDisk();
    return (Disk)
        Proxy.newProxyInstance(
            Disk.class.getClassLoader(),
            new Class<?>[] {Disk.class},
            (_, method, args) -> {
              if (method.getName().equals("list")) {
                then.run();
              }
              return method.invoke(real, args);
            });
  }
}
