package dev.ron.content.store;

/** How often bytes at rest are hashed before they leave. */
public enum VerifyMode {
  /** With every read. */
  ALWAYS,
  /** With the first read since the process started or the bytes were last moved. */
  ONCE
}
