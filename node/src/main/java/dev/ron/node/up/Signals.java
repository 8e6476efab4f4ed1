package dev.ron.node.up;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

/**
 * What the operating system asks of the process.
 *
 * <p>The JDK has no supported way to answer SIGTERM with exit code 0 or to hear SIGHUP; {@code
 * sun.misc.Signal} has been the way since 1.2 and its module is exported. It is called by
 * reflection because the compiler cannot be told to accept it without a warning.
 *
 * <p>A signal that the parent ignores is ignored by the child too, and the JVM leaves it so: under
 * nohup a node would never read its configuration again. Here it is handled all the same, as in
 * other servers; a terminal that closes then causes a reload, not an exit.
 */
final class Signals {
  private Signals() {}

  /** Runs {@code action} on a thread of the JVM each time the signal comes. */
  static void on(String name, Runnable action) {
    try {
      Class<?> handlers = Class.forName("sun.misc.SignalHandler");
      Object ignoring = handlers.getField("SIG_IGN").get(null);
      Object handler = handler(handlers, name, action);
      if (ignoring.equals(replaced(name, handlers, handler))) {
        restoreDefault(name);
        if (ignoring.equals(replaced(name, handlers, handler))) {
          throw new LinkageError("SIG" + name + " is ignored and stays so");
        }
      }
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("this JVM cannot handle SIG" + name, e);
    }
  }

  @SuppressWarnings("ReferenceEquality") // a proxy equals itself only
  private static Object handler(Class<?> handlers, String name, Runnable action) {
    InvocationHandler invoked =
        (proxy, method, args) -> {
          switch (method.getName()) {
            case "handle" -> action.run();
            case "hashCode" -> {
              return System.identityHashCode(proxy);
            }
            case "equals" -> {
              return args != null && proxy == args[0];
            }
            default -> {
              return "handler of SIG" + name;
            }
          }
          return null;
        };
    return Proxy.newProxyInstance(handlers.getClassLoader(), new Class<?>[] {handlers}, invoked);
  }

  /** Sets the handler; answers the one before, which stays if it is the one that ignores. */
  private static Object replaced(String name, Class<?> handlers, Object handler)
      throws ReflectiveOperationException {
    Class<?> signals = Class.forName("sun.misc.Signal");
    return signals.getMethod("handle", signals, handlers).invoke(null, signal(name), handler);
  }

  private static Object signal(String name) throws ReflectiveOperationException {
    return Class.forName("sun.misc.Signal").getConstructor(String.class).newInstance(name);
  }

  /** C's {@code signal(number, SIG_DFL)}: the JVM replaces every action but that of ignoring. */
  @SuppressWarnings("restricted") // the launcher allows native access
  private static void restoreDefault(String name) throws ReflectiveOperationException {
    Object signal = signal(name);
    int number = (int) signal.getClass().getMethod("getNumber").invoke(signal);
    Linker linker = Linker.nativeLinker();
    var set =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("signal"),
            FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    try {
      MemorySegment _ = (MemorySegment) set.invokeExact(number, MemorySegment.NULL);
    } catch (Throwable e) {
      throw new LinkageError("cannot restore the default action of SIG" + name, e);
    }
  }
}
