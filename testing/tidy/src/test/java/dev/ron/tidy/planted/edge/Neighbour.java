package dev.ron.tidy.planted.edge;

/** A service uses another: refused. */
public class Neighbour {
  public Object other() {
    return new dev.ron.tidy.planted.gateway.Alone();
  }
}
