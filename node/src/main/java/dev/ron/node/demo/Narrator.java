package dev.ron.node.demo;

import java.io.PrintStream;

/**
 * Tells the tour, and in a guided one waits until the reader wants to go on.
 *
 * <p>Threading: owned by the main thread.
 *
 * @param fast the tour does not wait for a reader
 */
record Narrator(PrintStream out, boolean fast) {
  void line(String format, Object... values) {
    out.printf(format + "%n", values);
  }

  void pause() throws java.io.IOException {
    if (!fast) {
      out.print("-- press Enter to go on --");
      out.flush();
      for (int key = System.in.read(); key >= 0 && key != '\n'; ) {
        key = System.in.read();
      }
    }
  }
}
