package dev.ron.node.cli;

import dev.ron.client.StorageClient;
import dev.ron.node.profile.Terminal;
import dev.ron.node.profile.TerminalGuard;
import dev.ron.node.profile.TextTable;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How far a transfer is, drawn over itself on the error stream.
 *
 * <p>Threading: thread-safe; a step is drawn by the first thread that reaches it.
 */
public final class ProgressBar implements StorageClient.Progress, AutoCloseable {
  /** Of what is one of many. */
  public static final ProgressBar NONE = new ProgressBar("", false);

  private static final int WIDTH = 30;
  private static final int STEPS = 200;

  private final String label;
  private final boolean shown;
  private final AtomicInteger drawn = new AtomicInteger(-1);

  private ProgressBar(String label, boolean shown) {
    String words = TextTable.plain(label);
    this.label = words.length() > 24 ? words.substring(0, 21) + "..." : words;
    this.shown = shown;
  }

  /** Shown if it is wanted and there is a terminal. */
  public static ProgressBar watching(String label, boolean wanted) {
    return new ProgressBar(label, wanted && watched());
  }

  /**
   * Whether there is a terminal to draw on; beside an answer that goes elsewhere a bar is noise.
   */
  public static boolean watched() {
    return Terminal.out() && Terminal.err();
  }

  @Override
  public void at(long doneBytes, long totalBytes) {
    if (!shown) {
      return;
    }
    int step = totalBytes == 0 ? STEPS : (int) (STEPS * doneBytes / totalBytes);
    // Of a stream only what came is known, so every eighth megabyte is a step.
    int moment = doneBytes == totalBytes ? (int) (doneBytes >> 23) + STEPS : step;
    int before = drawn.get();
    if (moment != before && drawn.compareAndSet(before, moment)) {
      TerminalGuard.raw(System.err).print("\r" + line(label, doneBytes, totalBytes));
    }
  }

  public static String line(String label, long doneBytes, long totalBytes) {
    int filled = totalBytes == 0 ? WIDTH : (int) (WIDTH * doneBytes / totalBytes);
    return "%-24s [%s%s] %3d%% %s"
        .formatted(
            label,
            "#".repeat(filled),
            " ".repeat(WIDTH - filled),
            totalBytes == 0 ? 100 : 100 * doneBytes / totalBytes,
            size(totalBytes));
  }

  public static String size(long bytes) {
    if (bytes < 1024) {
      return bytes + " B";
    }
    int power = Math.min(4, (63 - Long.numberOfLeadingZeros(bytes)) / 10);
    return String.format(
        Locale.ROOT, "%.1f %ciB", bytes / (double) (1L << (10 * power)), "KMGT".charAt(power - 1));
  }

  /** Ends its line, once; what is printed next begins on one of its own. */
  @Override
  public void close() {
    if (shown && drawn.getAndSet(-1) >= 0) {
      System.err.println();
    }
  }
}
