package dev.ron.bench.run;

import java.io.PrintStream;

/**
 * What a waiting person sees: a bar that moves, and sentences. Silent unless someone watches.
 *
 * <p>Threading: owned by the benchmark's thread.
 */
public final class Progress {
  private static final int BAR_CELLS = 30;
  private static final String CLEAR_LINE = "\r\033[K";

  private final PrintStream err;
  private final boolean watched;

  public Progress(PrintStream err, boolean watched) {
    this.err = err;
    this.watched = watched;
  }

  public void say(String sentence) {
    if (watched) {
      err.println(CLEAR_LINE + sentence);
    }
  }

  /** Printed whether a person watches or not. */
  void table(String rows) {
    clear();
    err.println(rows);
  }

  void bar(String label, int done, int total) {
    if (watched) {
      int cells = total == 0 ? BAR_CELLS : BAR_CELLS * done / total;
      err.print(
          CLEAR_LINE
              + label
              + " ["
              + "#".repeat(cells)
              + ".".repeat(BAR_CELLS - cells)
              + "] "
              + done
              + "/"
              + total);
      err.flush();
    }
  }

  void clear() {
    if (watched) {
      err.print(CLEAR_LINE);
      err.flush();
    }
  }
}
