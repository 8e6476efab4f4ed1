package dev.ron.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * No lock is held across a call that can block, and no event loop blocks: planted files are
 * compiled against the real kernel and libraries, with the checks that the build uses.
 *
 * <p>A line marked {@code // ERROR} must not compile; every other line must.
 */
final class GoldenRuleTest {
  private static final List<String> JAVAC =
      List.of("api", "file", "main", "model", "parser", "processing", "tree", "util");
  private static final String CHECKS =
      "-Xplugin:ErrorProne -XepDisableAllChecks"
          + " -Xep:BlockingWhileLocked:ERROR -Xep:BlockingOnEventLoop:ERROR";
  private static final Pattern FOUND =
      Pattern.compile("(\\w+)\\.java:(\\d+): error: (?:\\[(\\w+)\\] )?(.*?)(?: can block.*)?");
  private static final Pattern MARK = Pattern.compile("// ERROR (.*)$");

  private static final String IMPORTS =
      "package planted; import dev.ron.client.ServiceClient; import dev.ron.http.client.*;"
          + " import dev.ron.http.server.Inline; import dev.ron.http.server.exchange.Exchange;"
          + " import dev.ron.journal.Journal; import dev.ron.kernel.channel.Channel;"
          + " import dev.ron.kernel.channel.Watch;"
          + " import dev.ron.kernel.disk.*; import dev.ron.kernel.limit.*;"
          + " import dev.ron.kernel.lock.*; import dev.ron.kernel.retry.Retry;"
          + " import dev.ron.kernel.time.*; import dev.ron.storage.object.*;"
          + " import io.netty.channel.*; import java.nio.*; import java.nio.file.Path;"
          + " import java.util.*; import java.util.concurrent.locks.*; ";

  @TempDir Path folder;

  @Test
  void theProjectsOwnWaitsAreKnown() throws Exception {
    comparedWithMarks(
        "Waits",
        """
        class Waits {
          synchronized void disks(Disk disk, DiskFile file, Path path) throws Exception {
            disk.open(path); // ERROR Disk.open
            disk.openReadOnly(path); // ERROR Disk.openReadOnly
            disk.exists(path); // ERROR Disk.exists
            disk.list(path); // ERROR Disk.list
            disk.createFolders(path); // ERROR Disk.createFolders
            disk.rename(path, path); // ERROR Disk.rename
            disk.delete(path); // ERROR Disk.delete
            disk.flushDirectory(path); // ERROR Disk.flushDirectory
            disk.freeBytes(path); // ERROR Disk.freeBytes
            file.read(ByteBuffer.allocate(1), 0); // ERROR DiskFile.read
            file.write(ByteBuffer.allocate(1), 0); // ERROR DiskFile.write
            file.flush(); // ERROR DiskFile.flush
            file.size(); // ERROR DiskFile.size
            file.truncate(0); // ERROR DiskFile.truncate
          }
          synchronized void waits(Channel<String> channel, Watch<String> watch, Gate gate,
              Reply<String> reply, TokenBucket bucket, Time time, Retry retry) throws Exception {
            channel.trySend("");
            channel.tryReceive();
            channel.send("", Deadline.NEVER); // ERROR Channel.send
            channel.receive(Deadline.NEVER); // ERROR Channel.receive
            watch.latest();
            watch.await(watch.latest(), Deadline.NEVER); // ERROR Watch.await
            gate.open();
            gate.await(Deadline.NEVER); // ERROR Gate.await
            reply.answer("");
            reply.await(Deadline.NEVER); // ERROR Reply.await
            bucket.take(1, Deadline.NEVER); // ERROR TokenBucket.take
            time.now();
            time.sleepUntil(time.now()); // ERROR Time.sleepUntil
          }
          synchronized void calls(Journal journal, HttpClient http, ServiceClient service,
              Permits permits) throws Exception {
            journal.first();
            journal.await(1, Deadline.NEVER); // ERROR AppendLog.await
            journal.trim(1); // ERROR Journal.trim
            http.send(null, null); // ERROR HttpClient.send
            service.bytes("", "", null, null, null); // ERROR ServiceClient.bytes
            permits.enter(); // ERROR Permits.enter
          }
        }
        """);
  }

  @Test
  void everyKindOfLockCountsAndCallsAreFollowedToAnyDepth() throws Exception {
    comparedWithMarks(
        "Depths",
        """
        class Depths {
          final ReentrantLock lock = new ReentrantLock();
          final Condition changed = lock.newCondition();
          final RankedLock ranked = null;
          DiskFile file;
          boolean ready;
          void plain() throws Exception {
            lock.lock();
            try {
              one(); // ERROR Depths.one (it calls Depths.two (it calls Other.three (it calls DiskFile.flush)))
              List.of(1).forEach(each -> unchecked()); // ERROR Depths.unchecked (it calls DiskFile.flush)
              awaited();
              round(3);
            } finally {
              lock.unlock();
            }
            one();
          }
          void ranked() {
            ranked.run(() -> unchecked()); // ERROR Depths.unchecked (it calls DiskFile.flush)
            ranked.call(this::exists); // ERROR Depths.exists (it calls DiskFile.size)
          }
          private void one() throws Exception { two(); }
          private void two() throws Exception { new Other().three(file); }
          private void awaited() throws InterruptedException { while (!ready) { changed.await(); } }
          private void round(int left) { if (left > 0) { round(left - 1); } }
          boolean exists() {
            try { return file.size() > 0; } catch (java.io.IOException gone) { return false; }
          }
          void unchecked() {
            try { file.flush(); } catch (java.io.IOException broken) { throw new IllegalStateException(broken); }
          }
        }
        class Other { void three(DiskFile file) throws Exception { file.flush(); } }
        """);
  }

  @Test
  void whatRunsOnAnEventLoopMayNotWait() throws Exception {
    comparedWithMarks(
        "Loops",
        """
        class Loops {
          static Gate gate;
          static void quietly() {
            try { gate.await(Deadline.NEVER); } catch (InterruptedException gone) { Thread.currentThread().interrupt(); }
          }
          static final class Handler implements Inline {
            @Override public void handle(Exchange exchange) {
              exchange.block(sent -> slow());
              step(); // ERROR Handler.step (it calls Loops.quietly (it calls Gate.await))
            }
            private void step() { quietly(); }
            dev.ron.http.server.exchange.Answer slow() { quietly(); return null; }
          }
          static final class Netty extends ChannelInboundHandlerAdapter {
            @Override public void channelRead(ChannelHandlerContext context, Object message) {
              quietly(); // ERROR Loops.quietly (it calls Gate.await)
              context.executor().execute(() -> quietly()); // ERROR Loops.quietly (it calls Gate.await)
              context.write(message).addListener(done -> quietly()); // ERROR Loops.quietly (it calls Gate.await)
            }
            void elsewhere() { quietly(); }
          }
        }
        """);
  }

  private void comparedWithMarks(String name, String source) throws Exception {
    var marks = new TreeMap<Integer, String>();
    List<String> lines = source.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      Matcher mark = MARK.matcher(lines.get(i));
      if (mark.find()) {
        marks.put(i + 1, mark.group(1));
      }
    }
    assertThat(compile(name, IMPORTS + source)).isEqualTo(marks);
  }

  /** What the compiler told, by line. */
  private Map<Integer, String> compile(String name, String source) throws Exception {
    Path file = folder.resolve(name + ".java");
    Files.writeString(file, source);
    Path told = folder.resolve("told");
    Process javac =
        new ProcessBuilder(command(file))
            .redirectErrorStream(true)
            .redirectOutput(told.toFile())
            .start();
    if (!javac.waitFor(2, TimeUnit.MINUTES)) {
      javac.destroyForcibly();
      throw new AssertionError("javac did not end");
    }
    var found = new TreeMap<Integer, String>();
    for (String line : Files.readAllLines(told)) {
      Matcher error = FOUND.matcher(line.substring(line.lastIndexOf('/') + 1));
      if (error.matches()) {
        found.put(Integer.parseInt(error.group(2)), error.group(4));
      }
    }
    assertThat(javac.exitValue() == 0).as(Files.readString(told)).isEqualTo(found.isEmpty());
    return found;
  }

  private List<String> command(Path file) throws IOException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "javac").toString());
    JAVAC.forEach(
        each ->
            command.add(
                "-J--add-exports=jdk.compiler/com.sun.tools.javac." + each + "=ALL-UNNAMED"));
    for (String each : List.of("code", "comp")) {
      command.add("-J--add-opens=jdk.compiler/com.sun.tools.javac." + each + "=ALL-UNNAMED");
    }
    String all = System.getProperty("java.class.path");
    // Error Prone and the checks alone: other processors of the path would run, too.
    String checks =
        Stream.of(all.split(File.pathSeparator))
            .filter(each -> !each.contains("tidy"))
            .collect(Collectors.joining(File.pathSeparator));
    command.addAll(List.of("-J-XX:TieredStopAtLevel=1", "-proc:none", "-Xmaxerrs", "1000"));
    command.addAll(List.of("-XDcompilePolicy=simple", "--should-stop=ifError=FLOW"));
    command.addAll(List.of("-processorpath", checks, "-classpath", all, "-nowarn", "-Xlint:none"));
    command.addAll(List.of(CHECKS, "-d", folder.resolve("out").toString(), file.toString()));
    return command;
  }
}
