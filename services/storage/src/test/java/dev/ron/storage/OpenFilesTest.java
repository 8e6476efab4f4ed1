package dev.ron.storage;

import static dev.ron.storage.Rig.address;
import static dev.ron.storage.Rig.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.DiskFile;
import dev.ron.kernel.disk.RealDisk;
import dev.ron.testkit.SeedRow;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a storage opens is closed again, whatever became of the request it was opened for. */
@Timeout(60)
final class OpenFilesTest {
  @TempDir private Path folder;

  private final AtomicInteger opened = new AtomicInteger();
  private final Set<Object> open = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean broken = new AtomicBoolean();

  private <T> T on(T real, Class<T> type) {
    var identity = new Object();
    if (type == DiskFile.class) {
      opened.incrementAndGet();
      open.add(identity);
    }
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) -> {
              if (method.getName().equals("close")) {
                open.remove(identity);
              }
              if (method.getName().equals("write") && broken.get()) {
                throw new IOException("planted");
              }
              Object answer = call(real, method, arguments);
              return answer instanceof DiskFile file ? on(file, DiskFile.class) : answer;
            }));
  }

  private static Object call(Object real, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(real, arguments);
    } catch (InvocationTargetException thrown) {
      throw thrown.getCause();
    }
  }

  @Test
  @SeedRow("S79")
  void everyFileIsClosedAfterSuccessAndAfterAnError() throws Exception {
    byte[] object = bytes(1, 200_000);
    try (Rig rig = Rig.on(on(new RealDisk(), Disk.class), folder)) {
      assertThat(rig.put(object).statusCode()).isEqualTo(201);
      assertThat(rig.get("/o/" + address(object)).body()).isEqualTo(object);
      try (var gone = new Socket(InetAddress.getLoopbackAddress(), rig.port())) {
        gone.getOutputStream()
            .write(
                "POST /o HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\nhalf"
                    .getBytes(StandardCharsets.US_ASCII));
        Rig.eventually("it came", () -> rig.metricValue("inflight_requests{route=\"/o\"}") == 1);
      }
      broken.set(true);
      assertThat(rig.put(bytes(2, 200_000)).statusCode()).isGreaterThanOrEqualTo(500);
      broken.set(false);
    }
    assertThat(opened.get()).isPositive();
    assertThat(open).isEmpty();
  }
}
