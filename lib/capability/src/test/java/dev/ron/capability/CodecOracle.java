package dev.ron.capability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.capability.MacaroonCodec.Decoding;
import dev.ron.capability.caveat.Caveat;

/** What must hold for any bytes at all; seeded mutations and the fuzzer both ask it. */
final class CodecOracle {
  private CodecOracle() {}

  /** Returns whether the bytes were a token. */
  static boolean check(byte[] bytes) {
    return switch (MacaroonCodec.decode(bytes)) {
      case Decoding.Failed(CapabilityFault.Malformed fault) -> {
        assertThat(fault.detail()).isNotBlank();
        yield false;
      }
      case Decoding.Decoded(Macaroon macaroon) -> {
        assertThat(MacaroonCodec.encode(macaroon)).as("one token, one encoding").isEqualTo(bytes);
        assertThat(MacaroonCodec.encodedBytes(macaroon)).isEqualTo(bytes.length);
        assertThat(MacaroonCodec.decode(macaroon.token()))
            .isEqualTo(new Decoding.Decoded(macaroon));
        for (Caveat caveat : macaroon.caveats()) {
          assertThat(Caveat.parse(caveat.text())).isEqualTo(caveat);
        }
        yield true;
      }
    };
  }
}
