package dev.ron.erasure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RSRawDecoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RSRawEncoder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Another program, written by others for the same matrix, must read our shards and we theirs. */
class HadoopAgreementTest {
  @ParameterizedTest
  @CsvSource({"1,1", "4,2", "6,3", "10,4", "3,5", "20,20", "1,254", "254,1", "128,127"})
  void parityIsTheSameByteForByte(int k, int m) throws Exception {
    byte[][] ours = Samples.random(k + m, 129, k + m);
    byte[][] data = Arrays.copyOf(Samples.copy(ours), k);
    byte[][] theirs = new byte[m][129];
    new RSRawEncoder(new ErasureCoderOptions(k, m)).encode(data, theirs);
    for (Kernel kernel : KernelChoice.available()) {
      new ReedSolomon(k, m, kernel).encode(ours, 0, 129);
      assertThat(Arrays.copyOfRange(ours, k, k + m)).as(kernel.name()).isDeepEqualTo(theirs);
    }
  }

  @ParameterizedTest
  @CsvSource({"4,2", "6,3", "10,4", "3,5", "20,20"})
  void theirDecoderReadsOurShards(int k, int m) throws Exception {
    byte[][] whole = Samples.encoded(k, m, 257, 5);
    Random random = new Random(k);
    for (int round = 0; round < 50; round++) {
      int[] lost = Samples.randomSubset(k + m, 1 + random.nextInt(m), random).toArray();
      byte[][] inputs = Samples.copy(whole);
      for (int shard : lost) {
        inputs[shard] = null;
      }
      byte[][] outputs = new byte[lost.length][257];
      new RSRawDecoder(new ErasureCoderOptions(k, m)).decode(inputs, lost, outputs);
      for (int i = 0; i < lost.length; i++) {
        assertThat(outputs[i])
            .as("%s of %d+%d", Arrays.toString(lost), k, m)
            .isEqualTo(whole[lost[i]]);
      }
    }
  }
}
