package dev.ron.tidy.planted.edge.cluster;

/** A service on several machines uses another service: refused. */
public class Stranger extends dev.ron.tidy.planted.gateway.Alone {}
