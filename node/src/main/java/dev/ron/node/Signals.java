package dev.ron.node;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

/**
 * What the operating system asks of the process.
 *
 * <p>The JDK has no supported way to answer SIGTERM with exit code 0 or to hear SIGHUP; {@code
 * sun.misc.Signal} has been the way since 1.2 and its module is exported. It is called by
 * reflection because the compiler cannot be told to accept it without a warning.
 */
final class Signals {
  private Signals() {}

  /** Runs {@code action} on a thread of the JVM each time the signal comes. */
  @SuppressWarnings("ReferenceEquality") // a proxy equals itself only
  static void on(String name, Runnable action) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
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
      Object made =
          Proxy.newProxyInstance(handler.getClassLoader(), new Class<?>[] {handler}, invoked);
      signal
          .getMethod("handle", signal, handler)
          .invoke(null, signal.getConstructor(String.class).newInstance(name), made);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("this JVM cannot handle SIG" + name, e);
    }
  }
}
