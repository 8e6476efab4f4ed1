package dev.ron.http.server;

/** What a route does; which of the two it is tells where it runs. */
public sealed interface Handler permits Inline, Blocking {}
