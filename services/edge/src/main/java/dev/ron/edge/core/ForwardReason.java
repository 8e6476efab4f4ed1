package dev.ron.edge.core;

/** Why a request goes to the upstream, in the words of RFC 9211 section 2.2. */
public enum ForwardReason {
  /** The cache is not to be used for it. */
  BYPASS("bypass"),
  /** The method's meaning is not the cache's to fulfil. */
  METHOD("method"),
  /** Nothing is stored for it. */
  URI_MISS("uri-miss"),
  /** Something is stored, but for requests with other fields. */
  VARY_MISS("vary-miss"),
  /** The client's own directives. */
  REQUEST("request"),
  STALE("stale"),
  /** Some of the bytes are there. */
  PARTIAL("partial");

  private final String word;

  ForwardReason(String word) {
    this.word = word;
  }

  public String word() {
    return word;
  }
}
