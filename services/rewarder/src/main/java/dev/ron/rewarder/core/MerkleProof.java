package dev.ron.rewarder.core;

import dev.ron.blake3.Hash;
import java.util.ArrayList;
import java.util.List;

/**
 * The way from a leaf to the root: at each step the neighbour, and on which side it stands.
 *
 * <p>Threading: immutable.
 */
public record MerkleProof(List<Step> steps) {
  /** One neighbour. */
  public record Step(boolean left, Hash hash) {}

  public MerkleProof {
    steps = List.copyOf(steps);
  }

  /** From the leaf at {@code index} to the root over {@code leaves}. */
  public static MerkleProof of(List<Hash> leaves, int index) {
    var steps = new ArrayList<Step>();
    int at = index;
    for (List<Hash> level = leaves; level.size() > 1; level = MerkleTree.above(level)) {
      int neighbour = at ^ 1;
      if (neighbour < level.size()) {
        steps.add(new Step(neighbour < at, level.get(neighbour)));
      }
      at >>= 1;
    }
    return new MerkleProof(steps);
  }

  /** This way, and from its end on the other. */
  public MerkleProof then(MerkleProof above) {
    var all = new ArrayList<>(steps);
    all.addAll(above.steps);
    return new MerkleProof(all);
  }

  /** Where the way ends that begins at {@code leaf}. */
  public Hash root(Hash leaf) {
    Hash at = leaf;
    for (Step step : steps) {
      at = step.left() ? MerkleTree.node(step.hash(), at) : MerkleTree.node(at, step.hash());
    }
    return at;
  }
}
