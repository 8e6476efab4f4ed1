package dev.ron.http.server.connection;

/** Sent through a connection's pipeline: finish what was begun, take nothing new. */
public enum DrainEvent {
  NOW
}
