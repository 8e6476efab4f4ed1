package dev.ron.bench;

import java.nio.file.Path;
import java.util.List;

/** A child of the tests: starts a process of its own and exits without closing it. */
final class ParentMain {
  private ParentMain() {}

  // The missing close is what is tested.
  @SuppressWarnings("resource")
  public static void main(String[] args) throws Exception {
    var child = ChildProcess.start("sleeper", List.of("sh", "-c", "sleep 600"), Path.of(args[0]));
    System.out.println("started " + child.pid());
    System.exit(0);
  }
}
