package dev.ron.capability;

import static dev.ron.capability.RandomScope.NOON;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.capability.MacaroonCodec.Decoding;
import dev.ron.capability.caveat.AccessRequest;
import dev.ron.capability.caveat.Caveat;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MacaroonCodecTest {
  private final KeyRing ring = KeyRing.generate(new Random(1));
  private final Verifier verifier = new Verifier(new Trust(ring, Revocations.NONE));
  private final AccessRequest ask =
      AccessRequest.of("edge", "get", NOON).onPath("/o/a").forTenant("acme");

  private final List<Macaroon> tokens =
      List.of(
          mint(),
          mint("tenant = acme"),
          mint("op = get", "prefix = /o/", "expires = 2026-11-15T13:00:00Z", "rate = 10/s"));

  private Macaroon mint(String... caveats) {
    var nonces = new Random(2 + caveats.length);
    return new TokenMint(ring, nonces).mint(Arrays.stream(caveats).map(Caveat::parse).toList());
  }

  @Test
  void aFlippedBitInTheBinaryIsRefused() {
    for (Macaroon token : tokens) {
      assertThat(granted(token.token())).isTrue();
      byte[] encoded = MacaroonCodec.encode(token);
      for (int bit = 0; bit < 8 * encoded.length; bit++) {
        String flipped = TokenText.encode(flipped(encoded, bit));
        assertThat(granted(flipped)).as("%s, bit %d", token.caveats(), bit).isFalse();
      }
    }
  }

  /** The same through the text, with the cache warm; base64 has bits of its own. */
  @Test
  void aFlippedBitInTheTextIsRefused() {
    for (Macaroon token : tokens) {
      assertThat(granted(token.token())).isTrue();
      byte[] chars = token.token().getBytes(ISO_8859_1);
      for (int bit = 0; bit < 8 * chars.length; bit++) {
        String flipped = new String(flipped(chars, bit), ISO_8859_1);
        assertThat(granted(flipped)).as("%s, bit %d", token.caveats(), bit).isFalse();
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''                 | it is not a version 2 macaroon
          01                 | it is not a version 2 macaroon
          02                 | it ends too early
          02 01              | it ends too early
          02 01 00           | its location has a length that cannot be
          02 01 01 61        | it ends too early
          02 01 01 61 00     | its identifier is missing
          02 02 00           | its identifier has a length that cannot be
          02 02 05 61        | its identifier has a length that cannot be
          02 02 ff ff ff ff 07 | a field length is too long or padded
          02 02 ff 7f        | its identifier has a length that cannot be
          02 02 81 00 61     | a field length is too long or padded
          02 02 01 ff        | its identifier is not UTF-8
          02 02 01 61 06     | a field it may not have follows its identifier
          02 02 01 61 00     | it ends too early
          02 02 01 61 00 00  | it ends too early
          02 02 01 61 00 01  | its caveat is missing
          02 02 01 61 00 02 01 62 04 01 63 00 | it has a third-party caveat, which is not supported
          02 02 01 61 00 02 01 62 06 | a field it may not have follows its caveat
          02 02 01 61 00 02 02 c3 28 00 | its caveat is not UTF-8
          02 02 01 61 00 00 06 01 00 | its signature is not 32 bytes
          02 02 01 61 00 00 02 01 00 | its signature is missing
          """)
  void brokenBytesAreNamed(String hex, String reason) {
    byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));
    assertThat(MacaroonCodec.decode(bytes))
        .isEqualTo(new Decoding.Failed(new CapabilityFault.Malformed(reason)));
  }

  @Test
  void whatFollowsTheSignatureIsRefused() {
    byte[] encoded = MacaroonCodec.encode(tokens.getFirst());
    assertThat(MacaroonCodec.decode(Arrays.copyOf(encoded, encoded.length + 1)))
        .isEqualTo(
            new Decoding.Failed(new CapabilityFault.Malformed("bytes follow its signature")));
  }

  @Test
  void limitsHoldWhileReading() {
    var caveat = HexFormat.of().parseHex("02016200");
    for (int count : new int[] {64, 65}) {
      var bytes = new ByteArrayOutputStream();
      bytes.writeBytes(HexFormat.of().parseHex("0202016100"));
      for (int i = 0; i < count; i++) {
        bytes.writeBytes(caveat);
      }
      bytes.writeBytes(HexFormat.of().parseHex("000620"));
      bytes.writeBytes(new byte[32]);
      assertThat(MacaroonCodec.decode(bytes.toByteArray()) instanceof Decoding.Decoded)
          .as("%d caveats", count)
          .isEqualTo(count == 64);
    }
    assertThat(MacaroonCodec.decode("A".repeat(8193)))
        .isEqualTo(failed("it is longer than 8192 characters"));
    assertThat(MacaroonCodec.decode(new byte[6145]))
        .isEqualTo(failed("it is longer than 6144 bytes"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          A      | it is not base64
          AA=    | its base64 padding is wrong
          AAA==  | its base64 padding is wrong
          A===   | its base64 padding is wrong
          AB==   | its last base64 character has bits that belong to no byte
          AAB    | its last base64 character has bits that belong to no byte
          -_+/   | it is not base64
          A A A  | it is not base64
          AAAé   | it is not base64
          """)
  void brokenBase64IsNamed(String text, String reason) {
    assertThat(MacaroonCodec.decode(text)).isEqualTo(failed(reason));
  }

  /** Nothing but a fault comes of noise, and what does read has exactly one encoding. */
  @Test
  void noiseAndMutationsGiveFaultsOrTheSameBytes() {
    long seed = 0x5eed_0020L;
    var random = new Random(seed);
    List<byte[]> seeds = tokens.stream().map(MacaroonCodec::encode).toList();
    int read = 0;
    for (int i = 0; i < 100_000; i++) {
      byte[] bytes = i % 4 == 0 ? noise(random) : mutated(random, RandomScope.pick(random, seeds));
      if (CodecOracle.check(bytes)) {
        read++;
      }
    }
    assertThat(read).as("seed %d: some mutations still read", seed).isGreaterThan(1_000);
  }

  @Test
  void noiseInTheTextGivesFaults() {
    long seed = 0x5eed_0021L;
    var random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      var text = new StringBuilder(RandomScope.pick(random, tokens).token());
      for (int n = random.nextInt(3); n >= 0; n--) {
        text.setCharAt(
            random.nextInt(text.length()), (char) random.nextInt(i % 2 == 0 ? 128 : 65536));
      }
      boolean ours = tokens.stream().anyMatch(token -> sameBase64(token.token(), text.toString()));
      assertThat(granted(text.toString())).as("seed %d, case %d", seed, i).isEqualTo(ours);
    }
  }

  private static boolean sameBase64(String one, String other) {
    boolean urlSafe = other.indexOf('-') >= 0 || other.indexOf('_') >= 0;
    return one.equals(urlSafe ? other : other.replace('+', '-').replace('/', '_'));
  }

  private static byte[] flipped(byte[] bytes, int bit) {
    byte[] copy = bytes.clone();
    copy[bit / 8] ^= (byte) (1 << bit % 8);
    return copy;
  }

  private boolean granted(String text) {
    return verifier.verify(text, ask) instanceof AccessDecision.Granted;
  }

  private static Decoding failed(String reason) {
    return new Decoding.Failed(new CapabilityFault.Malformed(reason));
  }

  private static byte[] noise(Random random) {
    var bytes = new byte[random.nextInt(200)];
    random.nextBytes(bytes);
    if (bytes.length > 1) {
      bytes[0] = 2;
      bytes[1] = (byte) (1 + random.nextInt(2));
    }
    return bytes;
  }

  private static byte[] mutated(Random random, byte[] seed) {
    byte[] bytes = seed.clone();
    for (int n = random.nextInt(4); n >= 0; n--) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(4)) {
        case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> bytes[at] = (byte) random.nextInt(256);
        case 2 -> bytes = Arrays.copyOf(bytes, 1 + random.nextInt(bytes.length + 8));
        default ->
            System.arraycopy(bytes, at, bytes, random.nextInt(at + 1), (bytes.length - at) / 2);
      }
    }
    return bytes;
  }
}
