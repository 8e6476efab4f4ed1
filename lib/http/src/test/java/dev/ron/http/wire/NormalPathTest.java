package dev.ron.http.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.http.Refusal;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A path has one spelling, and normalising it again changes nothing. */
final class NormalPathTest {
  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource({
    "/, /",
    "/a/b, /a/b",
    "/a/./b, /a/b",
    "/a/../b, /b",
    "/a/b/.., /a/",
    "/a/b/., /a/b/",
    "/a/b/../.., /",
    "/a//b, /a//b",
    "/a//../b, /a/b",
    "/%61%2D%7e, /a-~",
    "/a%2fb, /a%2Fb",
    "/%e2%82%ac, /%E2%82%AC",
    "/a/%2e%2E/b, /b",
    "/a/%2e/b, /a/b",
    "/.a/..b/c.., /.a/..b/c..",
    "/..., /...",
    "/a%5C..%5Cb, /a%5C..%5Cb",
    "/!$&'()*+;=:@, /!$&'()*+;=:@",
    "/.., refused",
    "/a/../.., refused",
    "/%2e%2e, refused",
    "/%00, refused",
    "/%0a, refused",
    "/%7f, refused",
    "/%4, refused",
    "/%zz, refused",
    "/%, refused",
    "/%c3%a9/%F0%9F%98%80, /%C3%A9/%F0%9F%98%80",
    "/%f4%8f%bf%bf%ee%80%80, /%F4%8F%BF%BF%EE%80%80",
    "/%c0%ae, refused", // an overlong dot, as are the next two
    "/a/%c0%ae%c0%ae/b, refused",
    "/%e0%80%ae, refused",
    "/%f0%80%80%ae, refused",
    "/%c0%af, refused", // an overlong slash
    "/%c1%81, refused",
    "/%ed%a0%80, refused", // a surrogate
    "/%ed%a0%bd%ed%b8%80, refused",
    "/%f4%90%80%80, refused", // beyond U+10FFFF
    "/%f8%88%80%80%80, refused",
    "/%ff, refused",
    "/%80, refused", // no beginning
    "/%c3, refused", // no end
    "/%c3/%a9, refused",
    "/%c3a%a9, refused",
    "/%e9, refused", // Latin-1
    "/a|b, refused",
    "/a\\b, refused"
  })
  void hasOneSpelling(String path, String normal) throws Exception {
    if (normal.equals("refused")) {
      assertThatThrownBy(() -> NormalPath.of(path)).isInstanceOf(Refusal.class);
    } else {
      assertThat(NormalPath.of(path)).isEqualTo(normal);
      assertThat(NormalPath.of(normal)).isEqualTo(normal);
    }
  }

  @Test
  void normalisingTwiceIsNormalisingOnce() {
    long seed = Long.getLong("ron.seed", System.nanoTime());
    var random = new Random(seed);
    String[] parts = {
      "/", ".", "..", "%2e", "%2F", "%41", "a", "%", "/./", "/../", "%c3%A9", "%c0%ae", "~"
    };
    for (int i = 0; i < 100_000; i++) {
      var path = new StringBuilder("/");
      for (int j = random.nextInt(8); j > 0; j--) {
        path.append(parts[random.nextInt(parts.length)]);
      }
      try {
        String once = NormalPath.of(path.toString());
        assertThat(NormalPath.of(once)).as("%s, seed %d", path, seed).isEqualTo(once);
        assertThat(once + "/").as("%s, seed %d", path, seed).doesNotContain("/../", "/./");
      } catch (Refusal refused) {
        assertThat(refused.status()).isEqualTo(400);
      }
    }
  }
}
