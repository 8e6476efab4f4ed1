package dev.ron.blake3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.bao.Grain;
import dev.ron.blake3.bao.Slice;
import dev.ron.blake3.bao.SliceRange;
import dev.ron.blake3.bao.SliceVerifier;
import dev.ron.blake3.kernel.HashKernel;
import dev.ron.blake3.kernel.HashKernels;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** The public vectors of BLAKE3 and of bao, where their folder exists. */
class VectorsTest {
  private static JsonNode vectors(String project) {
    Path file =
        Path.of(System.getProperty("ron.root", "."), "../shared/vectors", project)
            .resolve("test_vectors.json")
            .normalize();
    Loudly.assume(Files.exists(file), "the public vectors are not at " + file);
    return new ObjectMapper().readTree(file.toFile());
  }

  @Test
  void officialVectors() {
    JsonNode vectors = vectors("blake3");
    byte[] key = vectors.get("key").asString().getBytes(UTF_8);
    assertThat(vectors.get("cases").size()).isGreaterThan(30);
    for (JsonNode c : vectors.get("cases")) {
      byte[] in = Inputs.cycling(c.get("input_len").asInt());
      assertHash(Mode.PLAIN, in, c.get("hash").asString());
      assertHash(Mode.keyed(key), in, c.get("keyed_hash").asString());
    }
  }

  /** The vectors have more output than the 32 bytes of a hash. */
  private static void assertHash(Mode mode, byte[] in, String output) {
    for (HashKernel kernel : HashKernels.here()) {
      Hash hash = new Blake3Hasher(mode, 0, kernel).update(in).hash();
      String what = kernel.name() + " on " + in.length + " bytes";
      assertThat(hash.hex()).as(what).isEqualTo(output.substring(0, 2 * Hash.BYTES));
    }
  }

  @Test
  void baoEncodings() {
    for (JsonNode c : vectors("bao").get("encode")) {
      byte[] in = Inputs.counting(c.get("input_len").asInt());
      Hash root = Hash.ofHex(c.get("bao_hash").asString());
      assertThat(Blake3.hash(in)).isEqualTo(root);
      byte[] encoded = Slice.encode(in, SliceRange.all(), Grain.CHUNK);
      assertThat(encoded).hasSize(c.get("output_len").asInt());
      assertThat(Blake3.hash(encoded).hex()).isEqualTo(c.get("encoded_blake3").asString());
      assertThat(SliceVerifier.decode(root, SliceRange.all(), Grain.CHUNK, encoded).orThrow())
          .isEqualTo(in);
      assertCorruptionsRefused(c.get("corruptions"), root, SliceRange.all(), encoded);
    }
  }

  @Test
  void baoSlices() {
    for (JsonNode c : vectors("bao").get("slice")) {
      byte[] in = Inputs.counting(c.get("input_len").asInt());
      Hash root = Hash.ofHex(c.get("bao_hash").asString());
      for (JsonNode s : c.get("slices")) {
        SliceRange range = new SliceRange(s.get("start").asLong(), s.get("len").asLong());
        byte[] slice = Slice.encode(in, range, Grain.CHUNK);
        assertThat(slice).as("%s of %d", range, in.length).hasSize(s.get("output_len").asInt());
        assertThat(Blake3.hash(slice).hex()).isEqualTo(s.get("output_blake3").asString());
        assertThat(SliceVerifier.decode(root, range, Grain.CHUNK, slice).orThrow())
            .isEqualTo(Inputs.part(in, range.start(), range.length()));
        assertCorruptionsRefused(s.get("corruptions"), root, range, slice);
      }
    }
  }

  private static void assertCorruptionsRefused(
      JsonNode offsets, Hash root, SliceRange range, byte[] slice) {
    for (JsonNode offset : offsets) {
      byte[] bad = slice.clone();
      bad[offset.asInt()] ^= 1;
      assertThat(SliceVerifier.decode(root, range, Grain.CHUNK, bad).isGood())
          .as("%s corrupted at %s", range, offset)
          .isFalse();
    }
  }
}
