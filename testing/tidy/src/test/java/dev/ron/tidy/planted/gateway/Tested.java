package dev.ron.tidy.planted.gateway;

/** A service ships test code: refused. */
public class Tested {
  public dev.ron.tidy.planted.kit.@org.jspecify.annotations.Nullable Fake fake;
}
