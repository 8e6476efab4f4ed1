package dev.ron.capability.caveat;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyPrefixTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a/       | a/b       | true
          a/       | a/        | true
          a/       | a         | false
          a        | ab        | true
          a//      | a/b       | false
          a//      | a//b      | true
          ../      | ../x      | true
          ..       | ...       | true
          a/../b   | a/../b/c  | true
          a/../b   | b/c       | false
          A        | a         | false
          %        | %2F       | true
          caf      | café      | true
          café     | cafe      | false
          a b      | a b c     | true
          """)
  void keysAreComparedAsBytes(String prefix, String key, boolean covered) {
    var caveat = new Caveat.Key(KeyPrefix.of(prefix));
    assertThat(Caveat.parse(caveat.text())).isEqualTo(caveat);
    var ask = AccessRequest.of("storage", "get", Instant.EPOCH).onKey("b", key.getBytes(UTF_8));
    assertThat(caveat.allows(ask)).isEqualTo(covered);
  }

  /** What the text compares is what the bytes would: half of a letter is a prefix too. */
  @Test
  void aPrefixOfBytesIsAPrefixOfTheText() {
    var random = new Random(0x5eed_0090L);
    int covered = 0;
    for (int i = 0; i < 20_000; i++) {
      var key = new byte[1 + random.nextInt(6)];
      random.nextBytes(key);
      byte[] prefix = Arrays.copyOf(key, 1 + random.nextInt(key.length));
      if (random.nextInt(3) == 0) {
        prefix[random.nextInt(prefix.length)] ^= (byte) (1 << random.nextInt(8));
      }
      boolean begins = Arrays.equals(prefix, Arrays.copyOf(key, prefix.length));
      assertThat(KeyPrefix.of(prefix).covers(KeyPrefix.of(key))).isEqualTo(begins);
      covered += begins ? 1 : 0;
    }
    assertThat(covered).isBetween(5_000, 19_000);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "a b", "é", "%", "%2", "%2g", "%2f", "%41", "%2F", "%zz", "a%", "a,b", "a=b"})
  void aPrefixHasOneSpelling(String text) {
    assertThatThrownBy(() -> new KeyPrefix(text)).isInstanceOf(IllegalArgumentException.class);
    assertThat(Caveat.parse("key = " + text)).isInstanceOf(Caveat.Unknown.class);
  }

  @Test
  void aKeyHasAtMost1024Bytes() {
    assertThat(KeyPrefix.of("ä".repeat(512)).text()).hasSize(512 * 6);
    assertThatThrownBy(() -> KeyPrefix.of("ä".repeat(512) + "x"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aRequestWithoutBucketOrKeyIsRefused() {
    var ask = AccessRequest.of("storage", "list-buckets", Instant.EPOCH);
    var bucket = Caveat.parse("bucket = a,b");
    assertThat(bucket.allows(ask)).isFalse();
    assertThat(bucket.allows(ask.onBucket("a"))).isTrue();
    assertThat(bucket.allows(ask.onBucket("c"))).isFalse();
    assertThat(Caveat.parse("key = a").allows(ask.onBucket("a"))).isFalse();
  }
}
