package dev.ron.tilepack;

/** Carries a fault out of nested reading; never leaves this package. */
final class PackRefused extends Exception {
  private static final long serialVersionUID = 1;

  private final transient PackFault fault;

  PackRefused(PackFault fault) {
    super(fault.detail(), null, false, false);
    this.fault = fault;
  }

  static PackRefused header(String field, String what) {
    return new PackRefused(new PackFault.BadHeader(field, what));
  }

  static PackRefused directory(String detail) {
    return new PackRefused(new PackFault.BadDirectory(detail));
  }

  PackFault fault() {
    return fault;
  }
}
