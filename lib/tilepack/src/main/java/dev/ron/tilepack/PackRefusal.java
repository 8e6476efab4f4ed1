package dev.ron.tilepack;

/** Carries a fault out of nested reading; never leaves this package. */
final class PackRefusal extends Exception {
  private static final long serialVersionUID = 1;

  private final transient PackFault fault;

  PackRefusal(PackFault fault) {
    super(fault.detail(), null, false, false);
    this.fault = fault;
  }

  static PackRefusal header(String field, String what) {
    return new PackRefusal(new PackFault.BadHeader(field, what));
  }

  static PackRefusal directory(String detail) {
    return new PackRefusal(new PackFault.BadDirectory(detail));
  }

  PackFault fault() {
    return fault;
  }
}
