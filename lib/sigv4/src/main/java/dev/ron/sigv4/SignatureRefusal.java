package dev.ron.sigv4;

/**
 * Carries a fault from where it was found to the verifier, which answers it as a value.
 *
 * <p>Never leaves the package: parsing a request has a dozen ways out, and each would otherwise be
 * an outcome to unwrap.
 *
 * <p>Threading: immutable.
 */
final class SignatureRefusal extends Exception {
  private static final long serialVersionUID = 1;

  private final transient SignatureFault fault;

  SignatureRefusal(SignatureFault fault) {
    super(fault.detail(), null, false, false);
    this.fault = fault;
  }

  SignatureFault fault() {
    return fault;
  }
}
