package dev.ron.blake3;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AddressTest {
  private static final String EMPTY =
      "b3:af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262";

  @Test
  void anAddressIsTheHashOfItsBytes() {
    assertThat(new Address(Blake3.hash(new byte[0]))).hasToString(EMPTY);
    assertThat(Address.parse(EMPTY).orThrow().hash()).isEqualTo(Blake3.hash(new byte[0]));
  }

  @Test
  void everythingElseIsMalformed() {
    assertMalformed("", "does not begin with b3:");
    assertMalformed("B3:" + EMPTY.substring(3), "does not begin with b3:");
    assertMalformed(EMPTY.substring(3), "does not begin with b3:");
    assertMalformed("b3:", "has 3 characters, not 67");
    assertMalformed(EMPTY + "0", "has 68 characters, not 67");
    assertMalformed(EMPTY.replace("af13", "AF13"), "character 3 is not a lowercase hex digit");
    assertMalformed(EMPTY.replace("262", "26g"), "character 66 is not a lowercase hex digit");
    assertMalformed(EMPTY.replace("262", "26 "), "character 66 is not a lowercase hex digit");
    assertMalformed(EMPTY.replace("262", "26\u0662"), "character 66 is not a lowercase hex digit");
  }

  private static void assertMalformed(String text, String reason) {
    assertThat(Address.parse(text))
        .isEqualTo(CheckResult.bad(new Blake3Fault.AddressMalformed(reason)));
  }
}
