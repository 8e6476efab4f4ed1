package dev.ron.storage.cluster.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.blake3.bao.Outboard;
import dev.ron.blake3.bao.OutboardBuilder;
import dev.ron.erasure.StripeLayout;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CodedObjectTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 65_536, 65_537, 1 << 20, 130_000_000})
  void whatIsWrittenIsRead(int size) {
    CodedObject object = object(size);
    byte[] encoded = object.encoded();
    assertThat(CodedObject.isRecord(encoded.length)).isTrue();
    CodedObject read = CodedObject.decoded(encoded).orElseThrow();
    assertThat(read.address()).isEqualTo(object.address());
    assertThat(read.layout()).isEqualTo(object.layout());
    assertThat(read.shards()).isEqualTo(object.shards());
    assertThat(read.tree().stored()).isEqualTo(object.tree().stored());
  }

  @Test
  void anythingElseIsNone() {
    byte[] encoded = object(200_000).encoded();
    for (int cut : new int[] {0, 7, 51, 52, encoded.length - 1}) {
      assertThat(CodedObject.decoded(Arrays.copyOf(encoded, cut))).isEmpty();
    }
    byte[] otherTree = encoded.clone();
    otherTree[encoded.length - 1] ^= 1;
    assertThat(CodedObject.decoded(otherTree)).as("a tree that is not the address's").isEmpty();
    byte[] otherSize = encoded.clone();
    otherSize[8] = 0x7f;
    assertThat(CodedObject.decoded(otherSize)).isEmpty();
  }

  private static CodedObject object(int size) {
    Outboard tree = new OutboardBuilder().update(new byte[size]).build();
    List<Address> shards =
        IntStream.range(0, 9)
            .mapToObj(i -> new Address(Blake3.hash(new byte[] {(byte) i})))
            .toList();
    return new CodedObject(new Address(tree.root()), StripeLayout.of(6, 3, size), shards, tree);
  }
}
