package dev.ron.node.profile;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The terminal that the launcher kept aside while the JVM started, as the standard error again.
 *
 * <p>The JVM says on every start that the Vector API is incubating. On a terminal the launcher has
 * that pass a filter, and gives the terminal itself to the process as another descriptor. From here
 * on a question whether the standard error is a terminal has its true answer, for children too.
 *
 * <p>Threading: stateless; called once, before any other thread writes.
 */
public final class ErrorDescriptor {
  /** The descriptor that is the terminal; the launcher sets it, and only on a terminal. */
  public static final String PROPERTY = "ron.terminal";

  private static final int STANDARD_ERROR = 2;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;

  private ErrorDescriptor() {}

  /** Takes the terminal back if it was kept aside. */
  @SuppressWarnings("restricted") // asks isNativeAccessEnabled first
  public static void restore() {
    Integer kept = Integer.getInteger(PROPERTY);
    if (kept == null
        || !Terminal.isDescriptor(kept)
        || !ErrorDescriptor.class.getModule().isNativeAccessEnabled()) {
      return; // what is said goes on to the terminal through the filter
    }
    System.err.flush();
    Linker linker = Linker.nativeLinker();
    MethodHandle duplicate =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("dup2"), FunctionDescriptor.of(INT, INT, INT));
    int now;
    try {
      now = (int) duplicate.invokeExact((int) kept, STANDARD_ERROR);
    } catch (Throwable e) {
      throw new LinkageError("the C library's dup2 cannot be called", e);
    }
    if (now != STANDARD_ERROR) {
      System.err.println("ron: the terminal is not the standard error again");
    }
  }
}
