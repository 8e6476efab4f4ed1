package dev.ron.tidy.planted.kernel;

/** The kernel uses a library: refused. */
public class Upward {
  public final dev.ron.tidy.planted.http.Server server = new dev.ron.tidy.planted.http.Server();
}
