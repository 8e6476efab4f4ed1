package dev.ron.tidy.planted.kernel;

/** Uses the JDK alone. */
public class Clean {
  public final java.time.Duration limit = java.time.Duration.ZERO;
}
