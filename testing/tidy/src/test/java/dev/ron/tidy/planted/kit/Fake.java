package dev.ron.tidy.planted.kit;

/** Test code. */
public class Fake {}
