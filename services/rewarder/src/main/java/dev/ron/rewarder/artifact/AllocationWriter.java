package dev.ron.rewarder.artifact;

import dev.ron.blake3.Hash;
import dev.ron.kernel.disk.Disk;
import dev.ron.rewarder.core.AllocationSink;
import dev.ron.rewarder.core.MerkleTree;
import dev.ron.rewarder.core.ScoreCursor;
import dev.ron.rewarder.core.Wide;
import dev.ron.rewarder.file.DiskOutput;
import dev.ron.rewarder.file.FileGroup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes a run's allocations and held amounts, and finds the Merkle root on the way.
 *
 * <p>Lines lie in blocks of {@link #BLOCK_LINES}; the index has, for each block, where it begins,
 * its first actor, and the root over its leaves. So a line is found in one block, and its proof is
 * made from that block's lines and the index.
 *
 * <p>Threading: owned by the run.
 */
public final class AllocationWriter implements AllocationSink, AutoCloseable {
  /** A power of two, so that a block's root is a node of the whole tree. */
  public static final int BLOCK_LINES = 1024;

  public static final String ALLOCATIONS = "allocations";
  public static final String INDEX = "index";
  public static final String HELD = "held";

  private final int pools;
  private final DiskOutput allocations;
  private final DiskOutput index;
  private final DiskOutput held;
  private final List<Hash> leaves = new ArrayList<>();
  private final List<Hash> blocks = new ArrayList<>();
  private long line;

  public AllocationWriter(Disk disk, Path folder, int pools) throws IOException {
    this.pools = pools;
    try (var files = new FileGroup(disk)) {
      this.allocations = new DiskOutput(files.open(folder.resolve(ALLOCATIONS)));
      this.index = new DiskOutput(files.open(folder.resolve(INDEX)));
      this.held = new DiskOutput(files.open(folder.resolve(HELD)));
      files.handOver();
    }
  }

  @Override
  public void allocate(ScoreCursor at, Wide amount) {
    line++;
    try {
      if (leaves.isEmpty()) {
        index.putLong(allocations.position());
        index.putShort(at.actorLength());
        index.put(at.actorBuffer(), at.actorOffset(), at.actorLength());
      }
      write(allocations, at, amount);
      leaves.add(
          MerkleTree.leaf(line, at.actorBuffer(), at.actorOffset(), at.actorLength(), amount));
      if (leaves.size() == BLOCK_LINES) {
        endBlock();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void hold(ScoreCursor at, Wide amount) {
    try {
      write(held, at, amount);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void write(DiskOutput out, ScoreCursor at, Wide amount) throws IOException {
    out.putShort(at.actorLength());
    out.put(at.actorBuffer(), at.actorOffset(), at.actorLength());
    out.putByte(at.badLines());
    out.putWide(amount);
    for (int pool = 0; pool < pools; pool++) {
      out.putWide(at.score(pool));
    }
  }

  private void endBlock() throws IOException {
    Hash root = MerkleTree.root(leaves);
    index.put(root.bytes(), 0, Hash.BYTES);
    blocks.add(root);
    leaves.clear();
  }

  /** Everything is on the disk; answers the root over all lines. */
  public Hash finish() throws IOException {
    if (!leaves.isEmpty()) {
      endBlock();
    }
    allocations.flush();
    index.flush();
    held.flush();
    return MerkleTree.root(blocks);
  }

  @Override
  public void close() throws IOException {
    try (allocations;
        index) {
      held.close();
    }
  }
}
