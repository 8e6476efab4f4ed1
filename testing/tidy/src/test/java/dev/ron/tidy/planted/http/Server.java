package dev.ron.tidy.planted.http;

/** A library uses the kernel. */
public class Server {
  public dev.ron.tidy.planted.kernel.Clean clean() {
    return new dev.ron.tidy.planted.kernel.Clean();
  }
}
