package dev.ron.usage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SealChainTest {
  private static final Instant T0 = Instant.parse("2026-11-18T00:00:00Z");
  private final SealSigner signer = new UsageRig.TestSigner();
  private final Map<Address, byte[]> stored = new HashMap<>();
  private final List<byte[]> seals = new ArrayList<>();

  private UsageSpan span(long number, long units) {
    var counts = new TreeMap<UsageKey, Long>();
    counts.put(new UsageKey("acme", "storage.requests"), units);
    counts.put(new UsageKey("quo\"te\\ünï", "storage.bytes_out"), Long.MAX_VALUE);
    counts.put(new UsageKey("zeta", "storage.bytes_out"), Long.MAX_VALUE);
    return new UsageSpan(
        number, T0.plusSeconds(3600 * (number - 1)), T0.plusSeconds(3600 * number), counts);
  }

  private void seal(UsageSpan span, SealSigner by) {
    Optional<Address> previous =
        seals.isEmpty() ? Optional.empty() : Optional.of(address(seals.getLast()));
    seals.add(Seal.of(span, previous, by).bytes());
    byte[] lines = AccountingLines.write(span.units());
    stored.put(address(lines), lines);
  }

  private static Address address(byte[] bytes) {
    return new Address(Blake3.hash(bytes));
  }

  private List<String> findings() throws Exception {
    var chain = new SealChain(address -> Optional.ofNullable(stored.get(address)));
    for (byte[] each : seals) {
      chain.next(each);
    }
    return chain.findings();
  }

  private void three() {
    for (int i = 1; i <= 3; i++) {
      seal(span(i, i), signer);
    }
  }

  @Test
  void aChainOfThreeIsRight() throws Exception {
    three();
    assertThat(findings()).isEmpty();
    assertThat(Seal.parse(seals.getFirst()).counts())
        .containsEntry("storage.bytes_out", "18446744073709551614");
  }

  @Test
  void aPartOfAChainIsRight() throws Exception {
    three();
    seals.removeFirst();
    assertThat(findings()).isEmpty();
  }

  @Test
  void aFlippedBitIsFound() throws Exception {
    three();
    byte[] whole = seals.get(1);
    for (int bit = 0; bit < whole.length * 8; bit += 29) {
      byte[] wrong = whole.clone();
      wrong[bit / 8] ^= (byte) (1 << bit % 8);
      seals.set(1, wrong);
      assertThat(findings()).as("bit %d", bit).isNotEmpty();
    }
  }

  @Test
  void aSealThatIsLeftOutIsFound() throws Exception {
    three();
    seals.remove(1);
    assertThat(findings()).anyMatch(each -> each.contains("the one before is number 1"));
  }

  @Test
  void aSealByAnotherKeyIsFound() throws Exception {
    three();
    seal(span(4, 4), new UsageRig.TestSigner());
    assertThat(findings()).anyMatch(each -> each.contains("it is by node"));
  }

  @Test
  void aSealWithTheNameOfAnotherKeyIsFound() throws Exception {
    SealSigner forger = new UsageRig.TestSigner();
    seal(
        span(1, 1),
        new SealSigner() {
          @Override
          public List<Map<String, String>> sign(byte[] message) {
            return forger.sign(message);
          }

          @Override
          public List<String> publicKeys() {
            return signer.publicKeys();
          }
        });
    assertThat(findings()).anyMatch(each -> each.contains("signature"));
  }

  @Test
  void accountingThatIsGoneOrChangedIsFound() throws Exception {
    three();
    Address second = Seal.parse(seals.get(1)).accounting();
    byte[] lines = stored.remove(second);
    assertThat(findings()).singleElement().asString().contains("is not there");
    lines[5] ^= 1;
    stored.put(second, lines);
    assertThat(findings()).singleElement().asString().contains("not what its address says");
  }

  @Test
  void countsThatAreNotTheSumsAreFound() throws Exception {
    UsageSpan span = span(1, 1);
    byte[] lines = AccountingLines.write(span.units());
    var honest = Seal.of(span, Optional.empty(), signer);
    var counts = new TreeMap<>(honest.counts());
    counts.put("storage.requests", "2");
    var open =
        new Seal(
            honest.node(),
            1,
            honest.from(),
            honest.to(),
            honest.accounting(),
            Optional.empty(),
            counts,
            Optional.empty(),
            List.of());
    byte[] unsigned = open.bytes();
    String text = new String(unsigned, UTF_8).replace("\"signatures\":[],", "");
    byte[] message = ("ron/usage-seal/v1\n" + text).getBytes(UTF_8);
    seals.add(
        new Seal(
                open.node(),
                1,
                open.from(),
                open.to(),
                open.accounting(),
                Optional.empty(),
                counts,
                Optional.empty(),
                signer.sign(message))
            .bytes());
    stored.put(address(lines), lines);
    assertThat(findings()).singleElement().asString().contains("not the sums");
  }

  @Test
  void accountingIsReadAsItWasWritten() throws Exception {
    var units = span(1, 7).units();
    assertThat(AccountingLines.read(AccountingLines.write(units))).isEqualTo(units);
    assertThat(new String(AccountingLines.write(units), UTF_8))
        .startsWith("{\"actor\":\"acme\",\"metric\":\"storage.requests\",\"units\":\"7\"}\n");
  }
}
