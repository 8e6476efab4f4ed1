package dev.ron.checks;

import com.google.errorprone.VisitorState;
import com.google.errorprone.util.ASTHelpers;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.NewClassTree;
import com.sun.tools.javac.code.Symbol.MethodSymbol;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The closed table of calls that can block.
 *
 * <p>A call blocks if its method belongs to a type of the table, or a subtype, under a name of the
 * row; or if the method carries an annotation of the simple name {@code Blocking}. A method of the
 * project whose body is not at hand, of another module or of an interface, is asked for what it
 * declares: one that can be interrupted waits, and so does one that can fail with an {@code
 * IOException}.
 *
 * <p>Threading: immutable.
 */
final class BlockingCalls {
  /** What a call that waits does with the locks of its caller. */
  enum Wait {
    /** It does not wait. */
    NONE,
    /** It waits and keeps them all. */
    KEEPS_LOCKS,
    /** It gives back the monitor it is called on while it waits, and keeps the others. */
    RELEASES_MONITOR,
    /** It gives back the lock of its condition while it waits, and keeps the others. */
    RELEASES_CONDITION
  }

  /**
   * A type, then method names. {@code read*} is every name that begins so, {@code poll/2} only the
   * overload with two parameters (the one with a time limit), {@code new} a constructor with
   * parameters (those without open nothing).
   */
  private static final String KEEPS_LOCKS =
      """
      java.lang.Thread                                     sleep join
      java.lang.Process                                    waitFor
      java.lang.ProcessBuilder                             start
      java.util.concurrent.Future                          get
      java.util.concurrent.CompletableFuture               join
      java.util.concurrent.ForkJoinTask                    join invoke
      java.util.concurrent.ExecutorService                 awaitTermination close invokeAll invokeAny
      java.util.concurrent.CompletionService               take poll/2
      java.util.concurrent.BlockingQueue                   put take poll/2 offer/3
      java.util.concurrent.BlockingDeque                   putFirst putLast takeFirst takeLast pollFirst/2 pollLast/2 offerFirst/3 offerLast/3
      java.util.concurrent.TransferQueue                   transfer tryTransfer/3
      java.util.concurrent.CountDownLatch                  await
      java.util.concurrent.CyclicBarrier                   await
      java.util.concurrent.Exchanger                       exchange
      java.util.concurrent.Phaser                          awaitAdvance* arriveAndAwaitAdvance
      java.util.concurrent.Semaphore                       acquire acquireUninterruptibly tryAcquire/2 tryAcquire/3
      java.util.concurrent.locks.LockSupport               park*
      java.io.InputStream                                  read* skip* transferTo close
      java.io.OutputStream                                 write* flush close print* append format
      java.io.Reader                                       read* skip transferTo close
      java.io.Writer                                       write flush close print* append format
      java.io.DataInput                                    read* skipBytes
      java.io.DataOutput                                   write*
      java.io.RandomAccessFile                             new seek setLength length close
      java.io.FileInputStream                              new
      java.io.FileOutputStream                             new
      java.io.FileReader                                   new
      java.io.FileWriter                                   new
      java.io.FileDescriptor                               sync
      java.io.File                                         createNewFile createTempFile delete exists isDirectory isFile lastModified length list listFiles mkdir mkdirs renameTo
      java.net.Socket                                      new connect close
      java.net.ServerSocket                                new accept bind
      java.net.DatagramSocket                              receive send
      java.net.InetAddress                                 getByName getAllByName getLocalHost
      java.net.http.HttpClient                             send
      java.nio.MappedByteBuffer                            force load
      java.nio.channels.ReadableByteChannel                read
      java.nio.channels.WritableByteChannel                write
      java.nio.channels.ScatteringByteChannel              read
      java.nio.channels.GatheringByteChannel               write
      java.nio.channels.SeekableByteChannel                truncate
      java.nio.channels.FileChannel                        read write force transferTo transferFrom lock map open
      java.nio.channels.SocketChannel                      connect finishConnect open/1
      java.nio.channels.ServerSocketChannel                accept
      java.nio.channels.DatagramChannel                    receive send
      java.nio.channels.Selector                           select
      java.nio.file.Files                                  *
      dev.ron.kernel.channel.Channel                       send receive receiveBatch
      dev.ron.kernel.channel.Watch                         await
      dev.ron.kernel.time.Time                             sleepUntil
      dev.ron.kernel.disk.Disk                             exists
      """;

  private static final String RELEASES_MONITOR =
      """
      java.lang.Object                                     wait
      """;

  private static final String RELEASES_CONDITION =
      """
      java.util.concurrent.locks.Condition                 await*
      dev.ron.kernel.time.Time                             await awaitAlone
      """;

  private static final String OWN = "dev.ron.";
  private static final Set<String> SIGNS_OF_WAITING =
      Set.of("java.lang.InterruptedException", "java.io.IOException");

  private static final String STREAM = "java.io.(InputStream|OutputStream|Reader|Writer|Data.*put)";

  private record Row(String type, String name, Pattern pattern, int parameters, Wait how) {
    boolean matches(MethodSymbol method, VisitorState state) {
      String called = method.isConstructor() ? "new" : method.getSimpleName().toString();
      return pattern.matcher(called).matches()
          && (parameters < 0 || parameters == method.getParameters().size())
          && (!method.isConstructor() || !method.getParameters().isEmpty())
          && Ancestry.has(method.owner.type, type, state);
    }
  }

  private static final List<Row> ROWS =
      Stream.of(
              rows(KEEPS_LOCKS, Wait.KEEPS_LOCKS),
              rows(RELEASES_MONITOR, Wait.RELEASES_MONITOR),
              rows(RELEASES_CONDITION, Wait.RELEASES_CONDITION))
          .flatMap(row -> row)
          .toList();

  private BlockingCalls() {}

  /** How the call waits; a call is an invocation, a {@code new} or a method reference. */
  static Wait how(ExpressionTree call, VisitorState state) {
    MethodSymbol method = method(call);
    if (method == null) {
      return Wait.NONE;
    }
    for (Row row : ROWS) {
      if (row.matches(method, state)) {
        boolean harmless = row.type.matches(STREAM) && InMemory.is(receiver(call), state);
        return harmless ? Wait.NONE : row.how;
      }
    }
    return Ancestry.annotated(method, "Blocking", state) || declaresWaiting(method, state)
        ? Wait.KEEPS_LOCKS
        : Wait.NONE;
  }

  private static boolean declaresWaiting(MethodSymbol method, VisitorState state) {
    return method.owner.getQualifiedName().toString().startsWith(OWN)
        && method.getThrownTypes().stream()
            .anyMatch(type -> SIGNS_OF_WAITING.contains(type.tsym.getQualifiedName().toString()))
        && Callee.of(method, state).isEmpty();
  }

  /** The call as a message names it: {@code Thread.sleep}, {@code new FileReader}. */
  static String shown(ExpressionTree call) {
    MethodSymbol method = method(call);
    if (method == null) {
      return call.toString();
    }
    var type = method.owner.getSimpleName();
    return method.isConstructor() ? "new " + type : type + "." + method.getSimpleName();
  }

  /** Every entry as {@code type#name}; the tests hold one planted call against each. */
  static Set<String> entries() {
    var entries = new LinkedHashSet<String>();
    ROWS.forEach(row -> entries.add(row.type + "#" + row.name));
    return entries;
  }

  private static Stream<Row> rows(String table, Wait how) {
    return table
        .lines()
        .map(line -> line.split(" +"))
        .flatMap(cells -> Arrays.stream(cells).skip(1).map(name -> row(cells[0], name, how)));
  }

  private static Row row(String type, String name, Wait how) {
    int slash = name.indexOf('/');
    String plain = slash < 0 ? name : name.substring(0, slash);
    int parameters = slash < 0 ? -1 : Integer.parseInt(name.substring(slash + 1));
    return new Row(type, name, Pattern.compile(plain.replace("*", ".*")), parameters, how);
  }

  static @Nullable MethodSymbol method(ExpressionTree call) {
    return switch (call) {
      case MethodInvocationTree invocation -> ASTHelpers.getSymbol(invocation);
      case NewClassTree creation -> ASTHelpers.getSymbol(creation);
      case MemberReferenceTree reference -> ASTHelpers.getSymbol(reference);
      default -> null;
    };
  }

  private static @Nullable ExpressionTree receiver(ExpressionTree call) {
    return switch (call) {
      case MethodInvocationTree invocation -> ASTHelpers.getReceiver(invocation);
      case MemberReferenceTree reference -> reference.getQualifierExpression();
      default -> null;
    };
  }
}
