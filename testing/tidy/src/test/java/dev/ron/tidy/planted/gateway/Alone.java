package dev.ron.tidy.planted.gateway;

/** A service uses a library and the kernel. */
public class Alone extends dev.ron.tidy.planted.http.Server {}
