package dev.ron.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Another JVM with this one's class path, to be killed without warning.
 *
 * <p>The child talks on its standard output, a line at a time; its errors come out on ours. It dies
 * with {@link #close} at the latest, and with this JVM.
 *
 * <p>Threading: owned by the test.
 */
public final class ChildJvm implements AutoCloseable {
  /** Most children are killed before a better compiler would pay for itself. */
  private static final List<String> QUICK =
      List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  /**
   * A child that says nothing for this long is killed, so that the test fails instead of waiting.
   */
  private static final Duration SILENCE = Duration.ofMinutes(10);

  /**
   * Gives the child the signals' default actions back. A parent such as nohup ignores SIGHUP, every
   * descendant inherits that, and a JVM that starts with SIGHUP ignored never receives one.
   */
  private static final List<String> HEARS_HANGUP = hearsHangup();

  private final Process process;
  private final BufferedReader lines;
  private final Thread hook;

  private ChildJvm(Process process) {
    this.process = process;
    this.lines = process.inputReader(StandardCharsets.UTF_8);
    this.hook = new Thread(process::destroyForcibly);
    Runtime.getRuntime().addShutdownHook(hook);
  }

  public static ChildJvm start(Class<?> main, String... args) throws IOException {
    return start(QUICK, main, args);
  }

  /**
   * @param options of the JVM, such as how much memory it may have
   */
  public static ChildJvm start(List<String> options, Class<?> main, String... args)
      throws IOException {
    return start(command(options, main, args));
  }

  /** What {@link #start(Class, String...)} runs, for a test that wraps it. */
  public static List<String> command(Class<?> main, String... args) {
    return command(QUICK, main, args);
  }

  private static List<String> command(List<String> options, Class<?> main, String... args) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-ea", "-cp", System.getProperty("java.class.path")));
    command.add(main.getName());
    command.addAll(List.of(args));
    return command;
  }

  /** Any program, for tests of the launcher. */
  public static ChildJvm start(List<String> command) throws IOException {
    return new ChildJvm(
        new ProcessBuilder(Stream.concat(HEARS_HANGUP.stream(), command.stream()).toList())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start());
  }

  /**
   * Empty where {@code env} cannot do it: then tests that send SIGHUP fail under nohup, in time.
   */
  private static List<String> hearsHangup() {
    List<String> env = List.of("env", "--default-signal=HUP");
    try {
      Process tried =
          new ProcessBuilder(Stream.concat(env.stream(), Stream.of("true")).toList())
              .redirectErrorStream(true)
              .start();
      return tried.waitFor(10, TimeUnit.SECONDS) && tried.exitValue() == 0 ? env : List.of();
    } catch (IOException e) {
      return List.of();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    }
  }

  public long pid() {
    return process.pid();
  }

  /** The next line of the child's output, or null at its end. */
  public @Nullable String line() throws IOException {
    return line(SILENCE);
  }

  /** Fails when the child says nothing within the limit; the child is dead then. */
  public @Nullable String line(Duration limit) throws IOException {
    // A pipe's read cannot be interrupted, but it ends with the processes that hold the other side.
    var said = new CompletableFuture<Void>();
    CompletableFuture<Boolean> silent =
        said.orTimeout(limit.toMillis(), TimeUnit.MILLISECONDS).handle((_, late) -> end(late));
    String line = lines.readLine();
    said.complete(null);
    if (silent.join()) {
      throw new AssertionError("process %d said nothing for %s".formatted(pid(), limit));
    }
    return line;
  }

  private boolean end(@Nullable Throwable late) {
    if (late != null) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.toHandle().destroyForcibly();
    }
    return late != null;
  }

  /**
   * SIGKILL: no handler runs, nothing is flushed.
   *
   * <p>Through the handle, because {@code Process.destroy} would also close the streams and with
   * them what the child had still said.
   */
  public void kill9() throws InterruptedException {
    process.toHandle().destroyForcibly();
    process.waitFor();
  }

  /** SIGTERM: asks to drain. */
  public void terminate() {
    process.toHandle().destroy();
  }

  /** SIGSTOP, SIGCONT, SIGHUP ... by name. */
  public void signal(String name) throws IOException, InterruptedException {
    int exit = new ProcessBuilder("kill", "-" + name, Long.toString(pid())).start().waitFor();
    if (exit != 0) {
      throw new IOException("kill -" + name + " " + pid() + " exited with " + exit);
    }
  }

  /** The exit code, or an error if the child is still alive after the limit. */
  public int exit(Duration limit) throws InterruptedException {
    if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new AssertionError("process %d still runs after %s".formatted(pid(), limit));
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly().onExit().join();
    Runtime.getRuntime().removeShutdownHook(hook);
  }
}
