package dev.ron.ordered;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Carries a fault of an ordered store to its caller. */
public final class OrderedException extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient OrderedFault fault;

  public OrderedException(OrderedFault fault) {
    super(fault.detail());
    this.fault = fault;
  }

  public OrderedException(OrderedFault fault, @Nullable Throwable cause) {
    super(fault.detail(), cause);
    this.fault = fault;
  }

  public OrderedFault fault() {
    return fault;
  }
}
