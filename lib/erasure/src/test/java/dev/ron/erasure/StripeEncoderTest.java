package dev.ron.erasure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StripeEncoderTest {
  private final ReedSolomon code = new ReedSolomon(4, 2, new ScalarKernel());
  private final List<ByteArrayOutputStream> shards = new ArrayList<>();
  private final List<Long> stripes = new ArrayList<>();

  @ParameterizedTest
  @CsvSource({"0", "1", "9", "10", "11", "39", "40", "41", "80", "123"})
  void anObjectComesBackFromAnyFourShards(int objectBytes) throws IOException {
    byte[] object = object(objectBytes);
    StripeEncoder encoder = encoder(10);
    encoder.write(object, 0, objectBytes);
    StripeLayout layout = encoder.finish();

    assertThat(layout).isEqualTo(new StripeLayout(4, 2, 10, objectBytes));
    assertThat(stripes).hasSize((int) layout.stripes());
    byte[][] whole = shards.stream().map(ByteArrayOutputStream::toByteArray).toArray(byte[][]::new);
    int shardBytes = Math.toIntExact(layout.shardBytes());
    assertThat(whole).hasDimensions(6, shardBytes);
    for (ShardSet lost : Samples.subsets(6, 2)) {
      byte[][] left = Samples.copy(whole);
      for (int shard : lost.toArray()) {
        Arrays.fill(left[shard], (byte) 1);
      }
      code.reconstruct(left, ShardSet.range(0, 6).minus(lost), lost, 0, shardBytes);
      assertThat(left).isDeepEqualTo(whole);
      assertThat(read(left, layout)).isEqualTo(object);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 10, 41, 1000})
  void piecesOfAnySizeGiveTheSameShards(int pieceBytes) throws IOException {
    byte[] object = object(1234);
    StripeEncoder atOnce = encoder(10);
    atOnce.write(object, 0, object.length);
    atOnce.finish();
    List<byte[]> expected = shards.stream().map(ByteArrayOutputStream::toByteArray).toList();

    StripeEncoder inPieces = encoder(10);
    for (int at = 0; at < 1234; at += pieceBytes) {
      inPieces.write(object, at, Math.min(pieceBytes, 1234 - at));
    }
    assertThat(inPieces.finish().objectBytes()).isEqualTo(1234);
    assertThat(shards.stream().map(ByteArrayOutputStream::toByteArray).toList())
        .usingRecursiveComparison()
        .isEqualTo(expected);
  }

  @Test
  void thePaddingIsZeroEvenAfterAFullStripe() throws IOException {
    StripeEncoder encoder = encoder(10);
    byte[] ones = new byte[41];
    Arrays.fill(ones, (byte) 1);
    encoder.write(ones, 0, 41);
    encoder.finish();
    assertThat(shards.get(0).toByteArray()).endsWith(1, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    assertThat(shards.get(3).toByteArray()).endsWith(new byte[10]);
    assertThat(stripes).containsExactly(0L, 1L);
  }

  @Test
  void afterFinishNothingIsTaken() throws IOException {
    StripeEncoder encoder = encoder(10);
    encoder.finish();
    assertThatThrownBy(encoder::finish).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> encoder.write(new byte[1], 0, 1))
        .isInstanceOf(IllegalStateException.class);
  }

  private StripeEncoder encoder(int unitBytes) {
    shards.clear();
    stripes.clear();
    for (int i = 0; i < 6; i++) {
      shards.add(new ByteArrayOutputStream());
    }
    return new StripeEncoder(
        code,
        unitBytes,
        (stripe, units) -> {
          stripes.add(stripe);
          for (int i = 0; i < 6; i++) {
            shards.get(i).write(units[i]);
          }
        });
  }

  /** Reads as {@link StripeLayout} describes it in words, as another program would. */
  private static byte[] read(byte[][] shards, StripeLayout layout) {
    byte[] object = new byte[Math.toIntExact(layout.objectBytes())];
    for (int at = 0; at < object.length; at++) {
      int stripe = at / (layout.dataShards() * layout.unitBytes());
      int shard = at / layout.unitBytes() % layout.dataShards();
      object[at] = shards[shard][stripe * layout.unitBytes() + at % layout.unitBytes()];
    }
    return object;
  }

  private static byte[] object(int bytes) {
    byte[] object = new byte[bytes];
    new Random(bytes).nextBytes(object);
    return object;
  }
}
