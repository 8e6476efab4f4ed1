package dev.ron.content;

/** How often bytes at rest are hashed before they leave. */
public enum Verify {
  /** With every read. */
  ALWAYS,
  /** With the first read since the process started or the bytes were last moved. */
  ONCE
}
