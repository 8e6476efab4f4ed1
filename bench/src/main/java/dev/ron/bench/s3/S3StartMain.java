package dev.ron.bench.s3;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.bench.load.LoopbackConnection;
import dev.ron.bench.process.ChildProcess;
import dev.ron.kernel.supervise.Tree;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Opens the door in a fresh process, reads one object through it, and says how long that took from
 * the start of the process and how much heap is held then.
 *
 * <p>Threading: owned by the main thread.
 */
public final class S3StartMain {
  private S3StartMain() {}

  /**
   * Prints the seconds, the heap bytes and what the object was, in one line.
   *
   * @param args the folder as {@link S3TargetMain} takes it, and the path of the object
   */
  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[0]);
    int port = ChildProcess.freePort();
    Tree tree = S3TargetMain.start(Integer.toString(port), folder, List.of(S3Server.TENANT));
    String[] pair = Files.readString(folder.resolve(S3TargetMain.PAIRS)).strip().split(" ", -1);
    byte[] body;
    try (var line =
        new S3Line(
            new LoopbackConnection(port), S3Server.signer(pair[1], pair[2]), "127.0.0.1:" + port)) {
      body = line.get(args[1], "");
    }
    long began = ManagementFactory.getRuntimeMXBean().getStartTime();
    double seconds = (System.currentTimeMillis() - began) / 1e3;
    System.out.println(seconds + " " + heldBytes() + " " + new String(body, UTF_8));
    System.out.flush();
    tree.drain();
  }

  /** The collector needs a second look to be done with what has a cleaner. */
  private static long heldBytes() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
