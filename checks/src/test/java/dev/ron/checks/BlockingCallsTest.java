package dev.ron.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each entry of the table against a planted call: an error under a lock and on an event loop,
 * silence after the lock was given back.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class BlockingCallsTest {
  /** Entry, planted statement, the call as the message names it. */
  private static final String TABLE =
      """
      java.lang.Thread#sleep                                    | Thread.sleep(1);                                   | Thread.sleep
      java.lang.Thread#join                                     | thread.join();                                     | Thread.join
      java.lang.Process#waitFor                                 | process.waitFor();                                 | Process.waitFor
      java.lang.ProcessBuilder#start                            | new ProcessBuilder().start();                      | ProcessBuilder.start
      java.util.concurrent.Future#get                           | future.get();                                      | Future.get
      java.util.concurrent.Future#get                           | promise.get(1, TimeUnit.SECONDS);                  | CompletableFuture.get
      java.util.concurrent.CompletableFuture#join               | promise.join();                                    | CompletableFuture.join
      java.util.concurrent.ForkJoinTask#join                    | forked.join();                                     | ForkJoinTask.join
      java.util.concurrent.ForkJoinTask#invoke                  | forked.invoke();                                   | ForkJoinTask.invoke
      java.util.concurrent.ExecutorService#awaitTermination     | pool.awaitTermination(1, TimeUnit.SECONDS);        | ExecutorService.awaitTermination
      java.util.concurrent.ExecutorService#close                | pool.close();                                      | ExecutorService.close
      java.util.concurrent.ExecutorService#invokeAll            | pool.invokeAll(tasks);                             | ExecutorService.invokeAll
      java.util.concurrent.ExecutorService#invokeAny            | pool.invokeAny(tasks);                             | ExecutorService.invokeAny
      java.util.concurrent.CompletionService#take               | completed.take();                                  | CompletionService.take
      java.util.concurrent.CompletionService#poll/2             | completed.poll(1, TimeUnit.SECONDS);               | CompletionService.poll
      java.util.concurrent.BlockingQueue#put                    | queue.put("");                                     | BlockingQueue.put
      java.util.concurrent.BlockingQueue#put                    | new ArrayBlockingQueue<String>(1).put("");         | ArrayBlockingQueue.put
      java.util.concurrent.BlockingQueue#take                   | queue.take();                                      | BlockingQueue.take
      java.util.concurrent.BlockingQueue#poll/2                 | queue.poll(1, TimeUnit.SECONDS);                   | BlockingQueue.poll
      java.util.concurrent.BlockingQueue#offer/3                | queue.offer("", 1, TimeUnit.SECONDS);              | BlockingQueue.offer
      java.util.concurrent.BlockingDeque#putFirst               | deque.putFirst("");                                | BlockingDeque.putFirst
      java.util.concurrent.BlockingDeque#putLast                | deque.putLast("");                                 | BlockingDeque.putLast
      java.util.concurrent.BlockingDeque#takeFirst              | deque.takeFirst();                                 | BlockingDeque.takeFirst
      java.util.concurrent.BlockingDeque#takeLast               | deque.takeLast();                                  | BlockingDeque.takeLast
      java.util.concurrent.BlockingDeque#pollFirst/2            | deque.pollFirst(1, TimeUnit.SECONDS);              | BlockingDeque.pollFirst
      java.util.concurrent.BlockingDeque#pollLast/2             | deque.pollLast(1, TimeUnit.SECONDS);               | BlockingDeque.pollLast
      java.util.concurrent.BlockingDeque#offerFirst/3           | deque.offerFirst("", 1, TimeUnit.SECONDS);         | BlockingDeque.offerFirst
      java.util.concurrent.BlockingDeque#offerLast/3            | deque.offerLast("", 1, TimeUnit.SECONDS);          | BlockingDeque.offerLast
      java.util.concurrent.TransferQueue#transfer               | transfer.transfer("");                             | TransferQueue.transfer
      java.util.concurrent.TransferQueue#tryTransfer/3          | transfer.tryTransfer("", 1, TimeUnit.SECONDS);     | TransferQueue.tryTransfer
      java.util.concurrent.CountDownLatch#await                 | latch.await();                                     | CountDownLatch.await
      java.util.concurrent.CyclicBarrier#await                  | barrier.await();                                   | CyclicBarrier.await
      java.util.concurrent.Exchanger#exchange                   | exchanger.exchange("");                            | Exchanger.exchange
      java.util.concurrent.Phaser#awaitAdvance*                 | phaser.awaitAdvanceInterruptibly(1);               | Phaser.awaitAdvanceInterruptibly
      java.util.concurrent.Phaser#arriveAndAwaitAdvance         | phaser.arriveAndAwaitAdvance();                    | Phaser.arriveAndAwaitAdvance
      java.util.concurrent.Semaphore#acquire                    | semaphore.acquire();                               | Semaphore.acquire
      java.util.concurrent.Semaphore#acquireUninterruptibly     | semaphore.acquireUninterruptibly();                | Semaphore.acquireUninterruptibly
      java.util.concurrent.Semaphore#tryAcquire/2               | semaphore.tryAcquire(1, TimeUnit.SECONDS);         | Semaphore.tryAcquire
      java.util.concurrent.Semaphore#tryAcquire/3               | semaphore.tryAcquire(1, 1, TimeUnit.SECONDS);      | Semaphore.tryAcquire
      java.util.concurrent.locks.LockSupport#park*              | LockSupport.parkNanos(1);                          | LockSupport.parkNanos
      java.io.InputStream#read*                                 | in.readAllBytes();                                 | InputStream.readAllBytes
      java.io.InputStream#read*                                 | new BufferedInputStream(in).read();                | BufferedInputStream.read
      java.io.InputStream#skip*                                 | in.skipNBytes(1);                                  | InputStream.skipNBytes
      java.io.InputStream#transferTo                            | in.transferTo(out);                                | InputStream.transferTo
      java.io.InputStream#close                                 | in.close();                                        | InputStream.close
      java.io.OutputStream#write*                               | out.write(1);                                      | OutputStream.write
      java.io.OutputStream#flush                                | out.flush();                                       | OutputStream.flush
      java.io.OutputStream#close                                | out.close();                                       | OutputStream.close
      java.io.OutputStream#print*                               | System.out.println();                              | PrintStream.println
      java.io.OutputStream#append                               | System.out.append(' ');                            | PrintStream.append
      java.io.OutputStream#format                               | System.out.format("");                             | PrintStream.format
      java.io.Reader#read*                                      | new BufferedReader(reader).readLine();             | BufferedReader.readLine
      java.io.Reader#skip                                       | reader.skip(1);                                    | Reader.skip
      java.io.Reader#transferTo                                 | reader.transferTo(writer);                         | Reader.transferTo
      java.io.Reader#close                                      | reader.close();                                    | Reader.close
      java.io.Writer#write                                      | writer.write("");                                  | Writer.write
      java.io.Writer#flush                                      | writer.flush();                                    | Writer.flush
      java.io.Writer#close                                      | writer.close();                                    | Writer.close
      java.io.Writer#print*                                     | new PrintWriter(writer).printf("");                | PrintWriter.printf
      java.io.Writer#append                                     | writer.append("");                                 | Writer.append
      java.io.Writer#format                                     | new PrintWriter(writer).format("");                | PrintWriter.format
      java.io.DataInput#read*                                   | file.readInt();                                    | RandomAccessFile.readInt
      java.io.DataInput#skipBytes                               | file.skipBytes(1);                                 | RandomAccessFile.skipBytes
      java.io.DataOutput#write*                                 | file.writeLong(1);                                 | RandomAccessFile.writeLong
      java.io.RandomAccessFile#new                              | new RandomAccessFile("", "r");                     | new RandomAccessFile
      java.io.RandomAccessFile#seek                             | file.seek(1);                                      | RandomAccessFile.seek
      java.io.RandomAccessFile#setLength                        | file.setLength(1);                                 | RandomAccessFile.setLength
      java.io.RandomAccessFile#length                           | file.length();                                     | RandomAccessFile.length
      java.io.RandomAccessFile#close                            | file.close();                                      | RandomAccessFile.close
      java.io.FileInputStream#new                               | new FileInputStream("");                           | new FileInputStream
      java.io.FileOutputStream#new                              | new FileOutputStream("");                          | new FileOutputStream
      java.io.FileReader#new                                    | new FileReader("");                                | new FileReader
      java.io.FileWriter#new                                    | new FileWriter("");                                | new FileWriter
      java.io.FileDescriptor#sync                               | FileDescriptor.out.sync();                         | FileDescriptor.sync
      java.io.File#createNewFile                                | new File("").createNewFile();                      | File.createNewFile
      java.io.File#createTempFile                               | File.createTempFile("", "");                       | File.createTempFile
      java.io.File#delete                                       | new File("").delete();                             | File.delete
      java.io.File#exists                                       | new File("").exists();                             | File.exists
      java.io.File#isDirectory                                  | new File("").isDirectory();                        | File.isDirectory
      java.io.File#isFile                                       | new File("").isFile();                             | File.isFile
      java.io.File#lastModified                                 | new File("").lastModified();                       | File.lastModified
      java.io.File#length                                       | new File("").length();                             | File.length
      java.io.File#list                                         | new File("").list();                               | File.list
      java.io.File#listFiles                                    | new File("").listFiles();                          | File.listFiles
      java.io.File#mkdir                                        | new File("").mkdir();                              | File.mkdir
      java.io.File#mkdirs                                       | new File("").mkdirs();                             | File.mkdirs
      java.io.File#renameTo                                     | new File("").renameTo(new File(""));               | File.renameTo
      java.net.Socket#new                                       | new Socket("", 1);                                 | new Socket
      java.net.Socket#connect                                   | socket.connect(null);                              | Socket.connect
      java.net.Socket#close                                     | socket.close();                                    | Socket.close
      java.net.ServerSocket#new                                 | new ServerSocket(1);                               | new ServerSocket
      java.net.ServerSocket#accept                              | server.accept();                                   | ServerSocket.accept
      java.net.ServerSocket#bind                                | server.bind(null);                                 | ServerSocket.bind
      java.net.DatagramSocket#receive                           | datagram.receive(null);                            | DatagramSocket.receive
      java.net.DatagramSocket#send                              | datagram.send(null);                               | DatagramSocket.send
      java.net.InetAddress#getByName                            | InetAddress.getByName("");                         | InetAddress.getByName
      java.net.InetAddress#getAllByName                         | InetAddress.getAllByName("");                      | InetAddress.getAllByName
      java.net.InetAddress#getLocalHost                         | InetAddress.getLocalHost();                        | InetAddress.getLocalHost
      java.net.http.HttpClient#send                             | http.send(null, null);                             | HttpClient.send
      java.nio.MappedByteBuffer#force                           | mapped.force();                                    | MappedByteBuffer.force
      java.nio.MappedByteBuffer#load                            | mapped.load();                                     | MappedByteBuffer.load
      java.nio.channels.ReadableByteChannel#read                | readable.read(null);                               | ReadableByteChannel.read
      java.nio.channels.ReadableByteChannel#read                | sockets.read((ByteBuffer) null);                   | SocketChannel.read
      java.nio.channels.WritableByteChannel#write               | writable.write(null);                              | WritableByteChannel.write
      java.nio.channels.WritableByteChannel#write               | sockets.write((ByteBuffer) null);                  | SocketChannel.write
      java.nio.channels.ScatteringByteChannel#read              | scattering.read(new ByteBuffer[0]);                | ScatteringByteChannel.read
      java.nio.channels.GatheringByteChannel#write              | gathering.write(new ByteBuffer[0]);                | GatheringByteChannel.write
      java.nio.channels.SeekableByteChannel#truncate            | files.truncate(1);                                 | FileChannel.truncate
      java.nio.channels.FileChannel#read                        | files.read(null, 1);                               | FileChannel.read
      java.nio.channels.FileChannel#write                       | files.write(null, 1);                              | FileChannel.write
      java.nio.channels.FileChannel#force                       | files.force(false);                                | FileChannel.force
      java.nio.channels.FileChannel#transferTo                  | files.transferTo(1, 1, null);                      | FileChannel.transferTo
      java.nio.channels.FileChannel#transferFrom                | files.transferFrom(null, 1, 1);                    | FileChannel.transferFrom
      java.nio.channels.FileChannel#lock                        | files.lock();                                      | FileChannel.lock
      java.nio.channels.FileChannel#map                         | files.map(null, 1, 1);                             | FileChannel.map
      java.nio.channels.FileChannel#open                        | FileChannel.open(path);                            | FileChannel.open
      java.nio.channels.SocketChannel#connect                   | sockets.connect(null);                             | SocketChannel.connect
      java.nio.channels.SocketChannel#finishConnect             | sockets.finishConnect();                           | SocketChannel.finishConnect
      java.nio.channels.SocketChannel#open/1                    | SocketChannel.open((SocketAddress) null);          | SocketChannel.open
      java.nio.channels.ServerSocketChannel#accept              | servers.accept();                                  | ServerSocketChannel.accept
      java.nio.channels.DatagramChannel#receive                 | datagrams.receive(null);                           | DatagramChannel.receive
      java.nio.channels.DatagramChannel#send                    | datagrams.send(null, null);                        | DatagramChannel.send
      java.nio.channels.Selector#select                         | selector.select();                                 | Selector.select
      java.nio.file.Files#*                                     | Files.readString(path);                            | Files.readString
      java.nio.file.Files#*                                     | Files.size(path);                                  | Files.size
      dev.ron.kernel.channel.Channel#send                       | channel.send("", until);                           | Channel.send
      dev.ron.kernel.channel.Channel#receive                    | channel.receive(until);                            | Channel.receive
      dev.ron.kernel.channel.Channel#receiveBatch               | channel.receiveBatch(1, until);                    | Channel.receiveBatch
      dev.ron.kernel.channel.Watch#await                        | watch.await(1);                                    | Watch.await
      dev.ron.kernel.time.Time#sleepUntil                       | time.sleepUntil(until);                            | Time.sleepUntil
      dev.ron.kernel.disk.Disk#exists                           | real.exists("");                                   | Disk.exists
      java.lang.Object#wait                                     | other.wait();                                      | Object.wait
      @Blocking                                                 | marked();                                          | Rows.marked
      @Blocking                                                 | overriding.flush();                                | Overriding.flush
      """;

  /** Waits that give back the one lock held: legal under it, an error on an event loop. */
  private static final String RELEASING =
      """
      java.util.concurrent.locks.Condition#await*               | condition.awaitNanos(1);                           | Condition.awaitNanos
      dev.ron.kernel.time.Time#await                            | time.await(lock, condition, until);                | Time.await
      dev.ron.kernel.time.Time#awaitAlone                       | time.awaitAlone(lock, condition, until);           | Time.awaitAlone
      """;

  private static final String FIELDS =
      "class Rows { Lock lock; Condition condition; Thread thread; Process process; Object other;"
          + " Future<String> future; CompletableFuture<String> promise; ForkJoinTask<String>"
          + " forked; ExecutorService pool; List<Callable<String>> tasks; CompletionService<String>"
          + " completed; BlockingQueue<String> queue; BlockingDeque<String> deque;"
          + " TransferQueue<String> transfer; CountDownLatch latch; CyclicBarrier barrier;"
          + " Exchanger<String> exchanger; Phaser phaser; Semaphore semaphore; InputStream in;"
          + " OutputStream out; Reader reader; Writer writer; RandomAccessFile file; Socket socket;"
          + " ServerSocket server; DatagramSocket datagram; HttpClient http; MappedByteBuffer"
          + " mapped; ReadableByteChannel readable; WritableByteChannel writable;"
          + " ScatteringByteChannel scattering; GatheringByteChannel gathering; FileChannel files;"
          + " SocketChannel sockets; ServerSocketChannel servers; DatagramChannel datagrams;"
          + " Selector selector; Path path; Channel<String> channel; Watch<String> watch; Time"
          + " time; Instant until; interface Disk { @Blocking void flush(); } interface Overriding"
          + " extends Disk { @Override void flush(); } Overriding overriding;"
          + " dev.ron.kernel.disk.Disk real; @Blocking void marked() {}\n";

  record Row(String entry, String statement, String shown) {
    static List<Row> of(String table) {
      return table
          .lines()
          .map(line -> line.split(" +\\| +"))
          .map(cells -> new Row(cells[0], cells[1], cells[2]))
          .toList();
    }
  }

  private Planted underLock = Planted.compile("class None {}");
  private Planted afterUnlock = underLock;
  private Planted onEventLoop = underLock;

  @BeforeAll
  void compileAllRows() {
    underLock =
        compile(
            "void row%d() throws Exception { lock.lock(); try { %s } finally { lock.unlock(); } }");
    afterUnlock = compile("void row%d() throws Exception { lock.lock(); lock.unlock(); %s }");
    onEventLoop = compile("@EventLoop void row%d() throws Exception { %s }");
  }

  /** Row i stands alone in line i + 2. */
  private static Planted compile(String method) {
    var source = new StringBuilder(FIELDS);
    List<Row> rows = rows().toList();
    for (int i = 0; i < rows.size(); i++) {
      source.append(method.formatted(i, rows.get(i).statement)).append('\n');
    }
    return Planted.compile(source.append('}').toString());
  }

  static Stream<Row> rows() {
    return Stream.concat(Row.of(TABLE).stream(), Row.of(RELEASING).stream());
  }

  static List<Row> keeping() {
    return Row.of(TABLE);
  }

  private static long line(Row row) {
    return rows().toList().indexOf(row) + 2L;
  }

  @ParameterizedTest
  @MethodSource("keeping")
  void isAnErrorUnderALock(Row row) {
    assertThat(underLock.errorsAt(line(row)))
        .containsExactly(
            "[BlockingWhileLocked] %s can block while holding Rows.lock: copy the state out, unlock, then block"
                .formatted(row.shown));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void isAnErrorOnAnEventLoop(Row row) {
    assertThat(onEventLoop.errorsAt(line(row)))
        .containsExactly(
            "[BlockingOnEventLoop] %s can block the event loop: answer from memory, or make the handler a Blocking one"
                .formatted(row.shown));
  }

  @Test
  void aWaitThatGivesBackTheOnlyLockIsLegalUnderIt() {
    var silent = new ArrayList<>(rows().map(BlockingCallsTest::line).toList());
    silent.removeAll(underLock.errorsByLine().keySet());
    assertThat(silent).isEqualTo(Row.of(RELEASING).stream().map(BlockingCallsTest::line).toList());
  }

  @Test
  void everyCallIsLegalOnceTheLockIsGivenBack() {
    assertThat(afterUnlock.errorsByLine()).isEmpty();
  }

  @Test
  void everyEntryOfTheTableHasItsRow() {
    Set<String> planted = new TreeSet<>(rows().map(Row::entry).toList());
    planted.remove("@Blocking");
    assertThat(planted).isEqualTo(new TreeSet<>(BlockingCalls.entries()));
  }
}
