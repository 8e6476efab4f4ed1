package dev.ron.kernel.fault;

/** Which side has to change something for the request to succeed. */
public enum Blame {
  /** The request is wrong; sending it again unchanged cannot help. */
  CALLER,
  /** The request is fine and we could not serve it. */
  US,
  /** The request is fine and a service we depend on could not serve it. */
  UPSTREAM
}
