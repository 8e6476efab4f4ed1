package dev.ron.rewarder.core;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Hash;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class MerkleProofTest {
  private static Hash leaf(long line, String actor, long amount) {
    byte[] bytes = actor.getBytes(UTF_8);
    return MerkleTree.leaf(line, bytes, 0, bytes.length, Wide.of(amount));
  }

  @Test
  void everyLineOfEverySizeIsProvenToAStranger() {
    for (int size = 1; size <= 70; size++) {
      var leaves = new ArrayList<Hash>();
      for (int i = 1; i <= size; i++) {
        leaves.add(leaf(i, "actor-" + i, i * 10L));
      }
      byte[] root = MerkleTree.root(leaves).bytes();
      for (int i = 1; i <= size; i++) {
        List<StrangersVerifier.Step> proof =
            MerkleProof.of(leaves, i - 1).steps().stream()
                .map(step -> new StrangersVerifier.Step(step.left(), step.hash().hex()))
                .toList();
        String actor = "actor-" + i;
        assertThat(StrangersVerifier.proves(root, i, actor, "" + i * 10, proof)).isTrue();
        assertThat(StrangersVerifier.proves(root, i, actor, "" + (i * 10 + 1), proof)).isFalse();
        assertThat(StrangersVerifier.proves(root, i + 1, actor, "" + i * 10, proof)).isFalse();
        assertThat(StrangersVerifier.proves(root, i, actor + "x", "" + i * 10, proof)).isFalse();
        if (proof.size() > 1) {
          assertThat(StrangersVerifier.proves(root, i, actor, "" + i * 10, proof.reversed()))
              .isFalse();
        }
      }
    }
  }

  @Test
  void blocksOfAPowerOfTwoHaveTheSameRoot() {
    for (int size = 1; size <= 40; size++) {
      var leaves = new ArrayList<Hash>();
      for (int i = 1; i <= size; i++) {
        leaves.add(leaf(i, "a" + i, i));
      }
      var blocks = new ArrayList<Hash>();
      for (int from = 0; from < size; from += 8) {
        blocks.add(MerkleTree.root(leaves.subList(from, Math.min(size, from + 8))));
      }
      assertThat(MerkleTree.root(blocks)).as("%d leaves", size).isEqualTo(MerkleTree.root(leaves));
      for (int i = 0; i < size; i++) {
        List<Hash> block = leaves.subList(i / 8 * 8, Math.min(size, i / 8 * 8 + 8));
        MerkleProof proof = MerkleProof.of(block, i % 8).then(MerkleProof.of(blocks, i / 8));
        assertThat(proof.steps()).isEqualTo(MerkleProof.of(leaves, i).steps());
      }
    }
  }
}
