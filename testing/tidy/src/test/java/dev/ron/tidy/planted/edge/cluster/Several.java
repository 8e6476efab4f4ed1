package dev.ron.tidy.planted.edge.cluster;

/** A service on several machines uses the same service on one. */
public class Several extends dev.ron.tidy.planted.edge.Neighbour {}
