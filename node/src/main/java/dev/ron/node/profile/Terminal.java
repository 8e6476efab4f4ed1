package dev.ron.node.profile;

import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Whether a person reads what a command prints.
 *
 * <p>Each stream is asked for itself: {@code echo hello | ron send orders --key 1} is answered on a
 * terminal, though its input is none. The JDK's own question takes input and output together.
 *
 * <p>Threading: stateless.
 */
public final class Terminal {
  private static final Path OUT = Path.of("/proc/self/fd/1");
  private static final Path ERR = Path.of("/proc/self/fd/2");

  private Terminal() {}

  /** Whether answers go to one. */
  public static boolean out() {
    return leadsToOne(OUT);
  }

  /** Whether the log, refusals and progress go to one. */
  public static boolean err() {
    return leadsToOne(ERR);
  }

  /** Whether an open file of this process is one; where the system does not tell, it is. */
  static boolean isDescriptor(int number) {
    try {
      return isOne(Files.readSymbolicLink(Path.of("/proc/self/fd/" + number)).toString());
    } catch (IOException | UnsupportedOperationException notLinux) {
      return !Files.exists(OUT);
    }
  }

  private static boolean leadsToOne(Path stream) {
    try {
      return isOne(Files.readSymbolicLink(stream).toString());
    } catch (IOException | UnsupportedOperationException notLinux) {
      return isConsole();
    }
  }

  static boolean isOne(String device) {
    return device.startsWith("/dev/pts/")
        || device.startsWith("/dev/tty")
        || device.equals("/dev/console");
  }

  @SuppressWarnings("SystemConsoleNull") // it is null in a pipe again since JDK 25
  private static boolean isConsole() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }
}
