package dev.ron.bench;

import dev.ron.bench.process.ChildProcess;
import dev.ron.bench.process.TempFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A child of the tests: starts a process, makes a folder, and exits without closing either. */
public final class ParentMain {
  private ParentMain() {}

  // The missing close is what is tested.
  @SuppressWarnings("resource")
  public static void main(String[] args) throws Exception {
    var child = ChildProcess.start("sleeper", List.of("sh", "-c", "sleep 600"), Path.of(args[0]));
    TempFolder folder = TempFolder.create();
    Files.writeString(folder.path().resolve("left"), "behind");
    System.out.println("folder " + folder.path());
    System.out.println("started " + child.pid());
    System.exit(0);
  }
}
