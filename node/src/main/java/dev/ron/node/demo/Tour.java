package dev.ron.node.demo;

import dev.ron.kernel.World;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The chapters in order, on one node. */
public final class Tour {
  private final World world;
  private final List<String> arguments;
  private final Optional<Integer> machinesPort;

  /**
   * @param arguments of {@code ron up}, besides the folder
   * @param machinesPort where the chapter with three machines begins; empty leaves it out
   */
  public Tour(World world, List<String> arguments, Optional<Integer> machinesPort) {
    this.world = world;
    this.arguments = arguments;
    this.machinesPort = machinesPort;
  }

  /** Answers whether every figure was right; the folder is removed if so. */
  public boolean play(PrintStream out, boolean fast) throws Exception {
    var say = new Narrator(out, fast);
    Path folder = Files.createTempDirectory("ron-demo");
    boolean right = true;
    try (var node = new DemoNode(folder, arguments, world.time())) {
      Duration up = node.start();
      say.line("a node of its own, up in %d ms, data in %s", up.toMillis(), folder);
      say.line("dashboard: %s/#cap=%s", node.ready().admin(), node.ready().capability());
      for (Chapter chapter : chapters()) {
        say.line("%n%s%n  watch %s", chapter.title(), chapter.watch());
        say.pause();
        ChapterResult figure = chapter.play(node, say);
        right &= figure.right();
        say.line("  %s %s", figure.right() ? "RIGHT:" : "WRONG:", figure.text());
      }
    }
    if (right) {
      remove(folder);
    } else {
      say.line("%nsomething is wrong; everything is kept in %s", folder);
    }
    return right;
  }

  private List<Chapter> chapters() {
    var chapters = new ArrayList<Chapter>();
    chapters.add(new BucketFiles());
    chapters.add(new PoisonMessage(world));
    chapters.add(new KillUnderLoad(world));
    chapters.add(new FlippedBit(world));
    chapters.add(new LoudTenant(world));
    machinesPort.ifPresent(port -> chapters.add(new LostMachine(world, port)));
    chapters.add(new EpochSum());
    chapters.add(new SealedEpoch(world));
    return chapters;
  }

  private static void remove(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
