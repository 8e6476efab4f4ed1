package dev.ron.node.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.blake3.Blake3;
import dev.ron.kernel.World;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** A bit of a stored object is flipped on one disk; readers must not notice, and it must heal. */
final class FlippedBit implements Chapter {
  private static final int OBJECT_BYTES = 700_000;
  private static final int FLIP_AT = 300_000;
  private static final int READS = 20;
  private static final int SIGN_BYTES = 32;
  private static final Duration HEAL_WITHIN = Duration.ofSeconds(30);
  private static final Duration POLL = Duration.ofMillis(100);

  private final World world;

  FlippedBit(World world) {
    this.world = world;
  }

  /** The two folders that hold a copy each. */
  static List<Path> folders(Path data) {
    return List.of(data.resolve("disk-a"), data.resolve("disk-b"));
  }

  @Override
  public String title() {
    return "Flip a bit on a disk";
  }

  @Override
  public String watch() {
    return "Objects on the dashboard: the repair card";
  }

  @Override
  public ChapterResult play(DemoNode node, Narrator say) throws Exception {
    var bytes = new byte[OBJECT_BYTES];
    new SplittableRandom(1).nextBytes(bytes);
    String address = "b3:" + Blake3.hash(bytes);
    int stored = node.send("PUT", "storage", "/o/" + address, bytes).statusCode();
    say.line("  stored %d bytes in two folders (%d): %s", OBJECT_BYTES, stored, address);
    List<Path> copies = copies(node.data(), bytes);
    if (copies.size() != 2) {
      return new ChapterResult(
          "found %d copies on disk instead of 2".formatted(copies.size()), false);
    }
    int wrong = 0;
    for (Path copy : copies) {
      flip(copy, bytes);
      say.line("  flipped a bit in %s", node.folder().relativize(copy));
      wrong += wrongReads(node, address, bytes);
      if (noticed(node)) {
        break;
      }
      flip(copy, bytes);
      say.line("  readers go to the other copy first: put it right, and flip there");
    }
    Duration healed = awaitHealed(node, bytes);
    String text =
        "%s; two good copies again after %d ms"
            .formatted(
                wrong == 0 ? "no reader got a wrong byte" : wrong + " readers got wrong bytes",
                healed.toMillis());
    return new ChapterResult(text, wrong == 0 && healed.compareTo(HEAL_WITHIN) < 0);
  }

  private static int wrongReads(DemoNode node, String address, byte[] bytes)
      throws IOException, InterruptedException {
    int wrong = 0;
    for (int read = 0; read < READS; read++) {
      HttpResponse<byte[]> answer = node.send("GET", "storage", "/o/" + address, new byte[0]);
      wrong += answer.statusCode() == 200 && Arrays.equals(answer.body(), bytes) ? 0 : 1;
    }
    return wrong;
  }

  private static boolean noticed(DemoNode node) throws IOException, InterruptedException {
    String metrics = new String(node.send("GET", "storage", "/metrics", new byte[0]).body(), UTF_8);
    return metrics.lines().anyMatch(line -> line.matches("integrity_fail_total\\{.*} [1-9].*"));
  }

  /** Healed is when two files hold the object's bytes, whole and in a row. */
  private Duration awaitHealed(DemoNode node, byte[] bytes)
      throws IOException, InterruptedException {
    Instant began = world.time().now();
    while (whole(node.data(), bytes) < 2 && world.time().now().isBefore(began.plus(HEAL_WITHIN))) {
      world.time().sleepUntil(world.time().now().plus(POLL));
    }
    return Duration.between(began, world.time().now());
  }

  private static int whole(Path data, byte[] bytes) throws IOException {
    int whole = 0;
    for (Path file : files(data)) {
      byte[] all = Files.readAllBytes(file);
      for (int at = find(all, bytes, 0); at >= 0; at = find(all, bytes, at + 1)) {
        if (Arrays.equals(
            all, at, Math.min(all.length, at + bytes.length), bytes, 0, bytes.length)) {
          whole++;
          break;
        }
      }
    }
    return whole;
  }

  private static List<Path> copies(Path data, byte[] bytes) throws IOException {
    var found = new java.util.ArrayList<Path>();
    for (Path file : files(data)) {
      if (find(Files.readAllBytes(file), bytes, 0) >= 0) {
        found.add(file);
      }
    }
    return found;
  }

  private static void flip(Path file, byte[] bytes) throws IOException {
    int at = find(Files.readAllBytes(file), bytes, 0) + FLIP_AT;
    try (var disk = new RandomAccessFile(file.toFile(), "rw")) {
      disk.seek(at);
      int old = disk.read();
      disk.seek(at);
      disk.write(old ^ 0x10);
    }
  }

  private static List<Path> files(Path data) throws IOException {
    var files = new java.util.ArrayList<Path>();
    for (Path folder : folders(data)) {
      try (Stream<Path> all = Files.walk(folder)) {
        all.filter(Files::isRegularFile).forEach(files::add);
      }
    }
    return files;
  }

  /** Where the object begins, by its first bytes; -1 if it is not there. */
  private static int find(byte[] in, byte[] object, int from) {
    for (int at = from; at + SIGN_BYTES <= in.length; at++) {
      if (Arrays.equals(in, at, at + SIGN_BYTES, object, 0, SIGN_BYTES)) {
        return at;
      }
    }
    return -1;
  }
}
