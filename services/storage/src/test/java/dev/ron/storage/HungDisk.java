package dev.ron.storage;

import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.DiskFile;
import dev.ron.kernel.disk.RealDisk;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/**
 * The machine's disk, of which folders can be made to hang: whatever is asked of them does not come
 * back, nor hear an interrupt, until they are let go.
 *
 * <p>Threading: thread-safe.
 */
final class HungDisk {
  private final Set<Path> hung = ConcurrentHashMap.newKeySet();
  private final Set<String> names = ConcurrentHashMap.newKeySet();
  private volatile CountDownLatch release = new CountDownLatch(1);

  /** Operations of these names on files below; all of them where none is named. */
  void hang(Path folder, String... operations) {
    names.addAll(Set.of(operations));
    hung.add(folder);
  }

  void letGo() {
    hung.clear();
    names.clear();
    CountDownLatch before = release;
    release = new CountDownLatch(1);
    before.countDown();
  }

  Disk disk() {
    var real = new RealDisk();
    return proxy(
        Disk.class,
        (_, method, args) -> {
          before(method.getName(), (Path) args[0]);
          Object answer = call(real, method, args);
          return answer instanceof DiskFile file ? file(file, (Path) args[0]) : answer;
        });
  }

  private DiskFile file(DiskFile real, Path path) {
    return proxy(
        DiskFile.class,
        (_, method, args) -> {
          before(method.getName(), path);
          return call(real, method, args);
        });
  }

  private void before(String operation, Path path) {
    CountDownLatch until = release;
    if (hung.stream().noneMatch(path::startsWith)
        || (!names.isEmpty() && !names.contains(operation))) {
      return;
    }
    boolean interrupted = false;
    while (until.getCount() > 0) {
      try {
        until.await();
      } catch (InterruptedException deaf) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static Object call(Object target, java.lang.reflect.Method method, Object[] args)
      throws Throwable {
    try {
      return method.invoke(target, args);
    } catch (InvocationTargetException failed) {
      throw failed.getCause();
    }
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
