package dev.ron.testkit;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test that leaves a thread behind, virtual threads included.
 *
 * <p>Use with {@code @ExtendWith(NoThreadsLeft.class)}. Threads of the kernel are named by their
 * place in the tree, {@code service/task}; those are the ones that are looked for, because the JVM
 * and the test runner start others as they please. A thread that is on its way out gets a moment.
 */
public final class NoThreadsLeft implements BeforeEachCallback, AfterEachCallback {
  private static final Pattern NAME = Pattern.compile("\"name\": \"([\\w.-]+(?:/[\\w.-]+)+)\"");
  private static final int LOOKS_MAX = 100;
  private static final ExtensionContext.Namespace SPACE =
      ExtensionContext.Namespace.create(NoThreadsLeft.class);

  @Override
  public void beforeEach(ExtensionContext context) {
    context.getStore(SPACE).put("before", living());
  }

  @Override
  public void afterEach(ExtensionContext context) throws InterruptedException {
    Set<?> before =
        Objects.requireNonNull(context.getStore(SPACE).get("before", Set.class), "beforeEach ran");
    Set<String> left = living();
    for (int look = 0; look < LOOKS_MAX && !before.containsAll(left); look++) {
      java.util.concurrent.TimeUnit.MILLISECONDS.sleep(10);
      left = living();
    }
    left.removeAll(before);
    if (!left.isEmpty()) {
      throw new AssertionError("threads left over: " + left);
    }
  }

  /** The names of the kernel's threads that are alive now. */
  public static Set<String> living() {
    try {
      Path folder = Files.createTempDirectory("threads");
      Path dump = folder.resolve("dump.json");
      ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
          .dumpThreads(dump.toString(), ThreadDumpFormat.JSON);
      Matcher names = NAME.matcher(Files.readString(dump).replace("\\/", "/"));
      Set<String> living = new TreeSet<>();
      while (names.find()) {
        living.add(names.group(1));
      }
      Files.delete(dump);
      Files.delete(folder);
      return living;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
