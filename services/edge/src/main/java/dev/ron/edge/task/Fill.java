package dev.ron.edge.task;

/** One upstream request. */
public final class Fill {}
