package dev.ron.bench.run;

import java.io.IOException;

/** One of the two things that take turns: does its work once and says what it measured. */
@FunctionalInterface
public interface Side<T> {
  T measure() throws IOException, InterruptedException;
}
