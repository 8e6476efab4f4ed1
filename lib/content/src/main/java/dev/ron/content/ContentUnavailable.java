package dev.ron.content;

/**
 * A store cannot say what it was asked, because it is elsewhere and does not answer.
 *
 * <p>Only thrown where an answer has no room for a fault and silence would be a lie: "not stored"
 * is not the same as "not known".
 *
 * <p>Threading: immutable.
 */
public final class ContentUnavailable extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient ContentFault fault;

  public ContentUnavailable(ContentFault fault) {
    super(fault.detail());
    this.fault = fault;
  }

  public ContentFault fault() {
    return fault;
  }
}
