package dev.ron.rewarder.artifact;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.blake3.Hash;
import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.DiskFile;
import dev.ron.rewarder.core.Allocation;
import dev.ron.rewarder.core.MerkleProof;
import dev.ron.rewarder.core.MerkleTree;
import dev.ron.rewarder.core.Wide;
import dev.ron.rewarder.core.score.ScoreTable;
import dev.ron.rewarder.file.DiskInput;
import dev.ron.rewarder.file.FileGroup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Reads what {@link AllocationWriter} wrote: from any line on, or one actor's line with its proof.
 *
 * <p>Threading: owned by the thread that opened it.
 */
public final class AllocationReader implements AutoCloseable {
  private static final int READ_BYTES = 64 << 10;

  private final int pools;
  private final DiskFile allocations;
  private final DiskFile held;
  private final List<Block> blocks = new ArrayList<>();

  /** A block's place, first actor and root. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Block(long offset, byte[] first, Hash root) {}

  /** A line and the way from it to the root. */
  public record Proven(Allocation allocation, MerkleProof proof) {}

  /** Gets lines until it answers false. */
  @FunctionalInterface
  public interface Visitor {
    boolean visit(Allocation allocation) throws IOException;
  }

  public AllocationReader(Disk disk, Path folder, int pools) throws IOException {
    this.pools = pools;
    try (var files = new FileGroup(disk);
        DiskFile index = disk.openReadOnly(folder.resolve(AllocationWriter.INDEX))) {
      this.allocations = files.openReadOnly(folder.resolve(AllocationWriter.ALLOCATIONS));
      this.held = files.openReadOnly(folder.resolve(AllocationWriter.HELD));
      var in = new DiskInput(index, 0, index.size(), READ_BYTES);
      while (in.hasMore()) {
        long offset = in.longNumber();
        byte[] first = new byte[in.shortNumber()];
        in.get(first, first.length);
        byte[] root = new byte[Hash.BYTES];
        in.get(root, Hash.BYTES);
        blocks.add(new Block(offset, first, Hash.of(root)));
      }
      files.handOver();
    }
  }

  /** Lines from {@code first} on, counted from 1. */
  public void from(long first, Visitor visitor) throws IOException {
    long skipped = (first - 1) / AllocationWriter.BLOCK_LINES;
    if (first < 1 || skipped >= blocks.size()) {
      return;
    }
    DiskInput in = input(allocations, blocks.get((int) skipped).offset());
    long line = skipped * AllocationWriter.BLOCK_LINES;
    boolean more = true;
    while (more && in.hasMore()) {
      Allocation next = read(in, ++line);
      more = line < first || visitor.visit(next);
    }
  }

  public void held(Visitor visitor) throws IOException {
    DiskInput in = input(held, 0);
    boolean more = true;
    while (more && in.hasMore()) {
      more = visitor.visit(read(in, 0));
    }
  }

  /** An actor's line, proven. */
  public Optional<Proven> find(String actor) throws IOException {
    byte[] name = actor.getBytes(UTF_8);
    int low = 0;
    int high = blocks.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (Arrays.compareUnsigned(blocks.get(middle).first(), name) <= 0) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return blocks.isEmpty() ? Optional.empty() : find(actor, low);
  }

  private Optional<Proven> find(String actor, int block) throws IOException {
    var lines = new ArrayList<Allocation>();
    from(
        (long) block * AllocationWriter.BLOCK_LINES + 1,
        next -> {
          lines.add(next);
          return lines.size() < AllocationWriter.BLOCK_LINES;
        });
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).actor().equals(actor)) {
        MerkleProof inBlock =
            MerkleProof.of(lines.stream().map(AllocationReader::leaf).toList(), i);
        MerkleProof above = MerkleProof.of(blocks.stream().map(Block::root).toList(), block);
        return Optional.of(new Proven(lines.get(i), inBlock.then(above)));
      }
    }
    return Optional.empty();
  }

  private static Hash leaf(Allocation line) {
    byte[] actor = line.actor().getBytes(UTF_8);
    return MerkleTree.leaf(line.line(), actor, 0, actor.length, line.amount());
  }

  private Allocation read(DiskInput in, long line) throws IOException {
    int length = in.shortNumber();
    if (length > ScoreTable.ACTOR_BYTES_MAX) {
      throw new IOException("an actor of " + length + " bytes");
    }
    byte[] actor = new byte[length];
    in.get(actor, length);
    int badLines = in.octet();
    Wide amount = in.wide();
    var scores = new ArrayList<Wide>(pools);
    for (int i = 0; i < pools; i++) {
      scores.add(in.wide());
    }
    return new Allocation(line, new String(actor, UTF_8), amount, badLines, scores);
  }

  private static DiskInput input(DiskFile file, long from) throws IOException {
    return new DiskInput(file, from, file.size(), READ_BYTES);
  }

  @Override
  public void close() throws IOException {
    try (allocations) {
      held.close();
    }
  }
}
