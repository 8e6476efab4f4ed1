package dev.ron.capability;

/**
 * Carries one reason from deep inside a reader to its entry point, where it becomes {@link
 * CapabilityFault.Malformed}; it never leaves this package.
 *
 * <p>Without a stack trace, because untrusted clients decide how often it is thrown.
 */
final class TokenFormatException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String reason;

  TokenFormatException(String reason) {
    super(reason, null, false, false);
    this.reason = reason;
  }

  String reason() {
    return reason;
  }
}
