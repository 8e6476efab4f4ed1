package dev.ron.bench.queue;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.ron.bench.load.LoopbackConnection;
import dev.ron.bench.process.ChildProcess;
import dev.ron.bench.process.CpuTime;
import dev.ron.bench.process.Peer;
import dev.ron.bench.process.SearchPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * beanstalkd with a binlog that is flushed on each write.
 *
 * <p>Threading: immutable; the process is thread-safe.
 */
final class BeanstalkdPeer implements QueueServer {
  private static final Duration START_LIMIT = Duration.ofSeconds(10);

  private final ChildProcess process;
  private final int port;

  private BeanstalkdPeer(ChildProcess process, int port) {
    this.process = process;
    this.port = port;
  }

  static Peer find(SearchPath searchPath) {
    return Peer.find(searchPath, "beanstalkd", "beanstalkd", "-v");
  }

  static BeanstalkdPeer start(Peer peer, Path folder) throws IOException, InterruptedException {
    int port = ChildProcess.freePort();
    Path binlog = Files.createDirectories(folder.resolve("beanstalkd"));
    List<String> command =
        List.of(
            peer.command(),
            "-l",
            "127.0.0.1",
            "-p",
            Integer.toString(port),
            "-b",
            binlog.toString(),
            "-f",
            "0");
    return new BeanstalkdPeer(
        ChildProcess.listen(
            peer.name(), port, command, folder.resolve("beanstalkd.log"), START_LIMIT),
        port);
  }

  @Override
  public QueueLine line() throws IOException {
    return new Line(new LoopbackConnection(port));
  }

  @Override
  public CpuTime cpuTime() {
    return process.cpuTime();
  }

  @Override
  public void close() {
    process.close();
  }

  private record Line(LoopbackConnection wire) implements QueueLine {
    private static final byte[] END = {'\r', '\n'};

    @Override
    public void send(byte[] body, String key) throws IOException {
      wire.write(("put 0 0 60 " + body.length + "\r\n").getBytes(ISO_8859_1), body, END);
      expect(wire.line(), "INSERTED");
    }

    @Override
    public boolean handleOne() throws IOException {
      wire.write("reserve-with-timeout 0\r\n");
      String answer = wire.line();
      if (answer.equals("TIMED_OUT")) {
        return false;
      }
      expect(answer, "RESERVED");
      String[] words = answer.split(" ", -1);
      wire.bytes(Integer.parseInt(words[2]) + END.length);
      wire.write("delete " + words[1] + "\r\n");
      expect(wire.line(), "DELETED");
      return true;
    }

    private static void expect(String answer, String word) throws IOException {
      if (!answer.startsWith(word)) {
        throw new IOException("beanstalkd answered " + answer);
      }
    }

    @Override
    public void close() throws IOException {
      wire.close();
    }
  }
}
