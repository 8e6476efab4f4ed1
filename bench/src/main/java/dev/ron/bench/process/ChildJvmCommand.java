package dev.ron.bench.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * How a part of Ron is started by itself: in a JVM with the classes of this one and the settings
 * that the launcher gives a node, so that its CPU seconds are its own and no better than a user's.
 *
 * <p>Threading: stateless.
 */
public final class ChildJvmCommand {
  private static final List<String> LAUNCHER_SETTINGS =
      List.of(
          "-XX:+UseSerialGC",
          "-Xms32m",
          "-Xmx256m",
          "-XX:+UseCompactObjectHeaders",
          "-Xshare:auto",
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow");

  private static final String VECTORS = "jdk.incubator.vector";

  private ChildJvmCommand() {}

  public static List<String> command(Class<?> main, String... args) {
    return command(List.of(), main, args);
  }

  /** The same for a part that hashes: with the vector kernels where this JVM has them too. */
  public static List<String> hashing(Class<?> main, String... args) {
    boolean vectors = ModuleLayer.boot().findModule(VECTORS).isPresent();
    return command(vectors ? List.of("--add-modules", VECTORS) : List.of(), main, args);
  }

  private static List<String> command(List<String> more, Class<?> main, String... args) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(LAUNCHER_SETTINGS);
    command.addAll(more);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(args));
    return command;
  }
}
