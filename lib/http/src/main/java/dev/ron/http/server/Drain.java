package dev.ron.http.server;

/** Sent through a connection's pipeline: finish what was begun, take nothing new. */
enum Drain {
  NOW
}
