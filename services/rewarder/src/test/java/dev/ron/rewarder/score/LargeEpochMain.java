package dev.ron.rewarder.score;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.github.luben.zstd.ZstdOutputStream;
import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3Hasher;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.disk.RealDisk;
import dev.ron.kernel.log.Log;
import dev.ron.rewarder.artifact.AllocationWriter;
import dev.ron.rewarder.core.Calculus;
import dev.ron.rewarder.core.LedgerInput;
import dev.ron.rewarder.core.Policy;
import dev.ron.rewarder.core.Rounding;
import dev.ron.rewarder.core.Wide;
import dev.ron.rewarder.input.FileInputs;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * A large epoch from its accounting to its root, in a process with a heap of its own.
 *
 * <p>{@code FOLDER FORM LINES ACTORS}: the form is {@code csv}, one file, or {@code parts}, the
 * same lines in a hundred files under zstd, the last first. Says the root, and the seconds.
 *
 * <p>Threading: owned by its process.
 */
public final class LargeEpochMain {
  private static final int PARTS = 100;
  private static final long MEMORY_BYTES = 384L << 20;

  private LargeEpochMain() {}

  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[0]);
    long lines = Long.parseLong(args[2]);
    int actors = Integer.parseInt(args[3]);
    Address address =
        args[1].equals("csv") ? csv(folder, lines, actors) : parts(folder, lines, actors);
    System.out.println("written");
    var scope = Scope.of("large", World.real(Log.silent()));
    long start = System.nanoTime();
    Aggregation.Scores scores =
        new Aggregation(
                scope,
                new FileInputs(scope.disk(), folder),
                policy(),
                Runtime.getRuntime().availableProcessors(),
                MEMORY_BYTES,
                folder.resolve("spill"))
            .run(address);
    System.out.println("added up in " + (System.nanoTime() - start) / 1_000_000 + " ms");
    Path out = Files.createDirectories(folder.resolve("allocations"));
    try (var writer = new AllocationWriter(new RealDisk(), out, 1)) {
      Calculus.Outcome outcome =
          Calculus.EXACT.run(
              policy(),
              new LedgerInput(Wide.parse("1000000000000007").orElseThrow(), "ROC", "e"),
              scores.source(),
              writer);
      System.out.println(
          "%d lines, root %s, %s"
              .formatted(
                  scores.lines(), writer.finish().hex(), outcome.getClass().getSimpleName()));
    }
    System.out.println("done in " + (System.nanoTime() - start) / 1_000_000 + " ms");
  }

  private static Policy policy() {
    return new Policy(
        "large",
        1,
        Map.of("bytes_served", 700_000L, "uptime", 300_000L),
        Rounding.LARGEST_REMAINDER,
        Wide.ZERO,
        Optional.empty(),
        Optional.empty(),
        false,
        List.of());
  }

  private static Address csv(Path folder, long lines, int actors) throws IOException {
    Path file = folder.resolve("csv");
    var hashed = new Hashed(Files.newOutputStream(file));
    try (OutputStream out = new BufferedOutputStream(hashed, 1 << 20)) {
      header(out);
      for (int part = 0; part < PARTS; part++) {
        part(out, part, lines / PARTS, actors);
      }
    }
    return named(file, hashed);
  }

  private static Address parts(Path folder, long lines, int actors) throws IOException {
    var list = new StringBuilder();
    for (int part = PARTS - 1; part >= 0; part--) {
      Path file = folder.resolve("part");
      var hashed = new Hashed(Files.newOutputStream(file));
      try (OutputStream out = new BufferedOutputStream(new ZstdOutputStream(hashed, 1), 1 << 20)) {
        header(out);
        part(out, part, lines / PARTS, actors);
      }
      list.append(named(file, hashed)).append('\n');
    }
    Path file = folder.resolve("list");
    var hashed = new Hashed(Files.newOutputStream(file));
    try (hashed) {
      hashed.write(list.toString().getBytes(US_ASCII));
    }
    return named(file, hashed);
  }

  private static void header(OutputStream out) throws IOException {
    out.write("actor,metric,units\n".getBytes(US_ASCII));
  }

  private static void part(OutputStream out, int part, long lines, int actors) throws IOException {
    var random = new SplittableRandom(part);
    for (long i = 0; i < lines; i++) {
      String line =
          "did:ron:node-"
              + random.nextInt(actors)
              + (random.nextInt(3) == 0 ? ",uptime," : ",bytes_served,")
              + (random.nextLong() >>> (24 + random.nextInt(30)))
              + '\n';
      out.write(line.getBytes(US_ASCII));
    }
  }

  private static Address named(Path file, Hashed hashed) throws IOException {
    var address = new Address(hashed.hasher.hash());
    Files.move(file, file.resolveSibling(address.toString()));
    return address;
  }

  /** Knows the address of what went through. */
  private static final class Hashed extends OutputStream {
    private final OutputStream out;
    private final Blake3Hasher hasher = new Blake3Hasher();

    Hashed(OutputStream out) {
      this.out = out;
    }

    @Override
    public void write(int octet) throws IOException {
      write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      hasher.update(bytes, from, length);
      out.write(bytes, from, length);
    }

    @Override
    public void close() throws IOException {
      out.close();
    }
  }
}
