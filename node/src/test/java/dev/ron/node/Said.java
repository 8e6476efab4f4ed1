package dev.ron.node;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;

/**
 * What a command said and how it ended. Tests that run one hold the lock on System.out.
 *
 * @param exit the exit code
 */
public record Said(int exit, String out, String err) {
  /** Runs a command in this process. */
  public static Said by(String... args) {
    PrintStream out = System.out;
    PrintStream err = System.err;
    var heardOut = new ByteArrayOutputStream();
    var heardErr = new ByteArrayOutputStream();
    System.setOut(new PrintStream(heardOut, true, UTF_8));
    System.setErr(new PrintStream(heardErr, true, UTF_8));
    try {
      int exit = Ron.run(args);
      return new Said(exit, heardOut.toString(UTF_8), heardErr.toString(UTF_8));
    } finally {
      System.setOut(out);
      System.setErr(err);
    }
  }
}
