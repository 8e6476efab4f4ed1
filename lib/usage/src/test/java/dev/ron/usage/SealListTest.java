package dev.ron.usage;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What seals must be to be the accounting of a span. */
class SealListTest {
  private static final Instant NOVEMBER = Instant.parse("2026-11-01T00:00:00Z");
  private static final Instant DECEMBER = Instant.parse("2026-12-01T00:00:00Z");
  private static final int DAY = 86_400;

  /** A seal a day from the last of October on; number 2 is the first that ends in November. */
  private static List<Seal> chain(SealSigner signer, int count) {
    var seals = new ArrayList<Seal>();
    for (int i = 1; i <= count; i++) {
      var units = new TreeMap<UsageKey, Long>();
      units.put(new UsageKey("acme", "storage.requests"), (long) i);
      Instant to = NOVEMBER.plusSeconds((long) (i - 2) * DAY + 60);
      var span = new UsageSpan(i, to.minusSeconds(DAY), to, units);
      seals.add(
          Seal.of(
              span,
              seals.isEmpty() ? Optional.empty() : Optional.of(seals.getLast().address()),
              signer));
    }
    return seals;
  }

  private static SealList list(List<Seal> seals) {
    return new SealList(NOVEMBER, DECEMBER, false, seals.stream().map(Seal::address).toList());
  }

  private static Optional<String> fault(List<Seal> seals) {
    return list(seals).fault(seals);
  }

  @Test
  void theSealsThatEndInASpanAreItsAccounting() throws Exception {
    List<Seal> seals = new ArrayList<>(chain(new UsageRig.TestSigner(), 32));
    SealList november = list(seals);
    seals.removeIf(seal -> !november.has(seal));
    assertThat(seals).hasSize(30);
    assertThat(fault(seals)).isEmpty();
    assertThat(SealList.parse(new String(list(seals).bytes(), US_ASCII))).isEqualTo(list(seals));
    assertThat(new String(list(seals).bytes(), US_ASCII))
        .startsWith("ron/usage-span/v1 2026-11-01T00:00:00Z 2026-12-01T00:00:00Z\nb3:");
  }

  @Test
  void sealsOfSeveralNodesAreInOneOrder() {
    List<Seal> both = new ArrayList<>(chain(new UsageRig.TestSigner(), 6).subList(1, 6));
    both.addAll(chain(new UsageRig.TestSigner(), 6).subList(1, 6));
    both.sort(SealList.ORDER);
    assertThat(fault(both)).isEmpty();
    assertThat(fault(both.reversed())).isNotEmpty();
    List<Seal> turned = new ArrayList<>(both.subList(5, 10));
    turned.addAll(both.subList(0, 5));
    assertThat(fault(turned).orElseThrow()).contains("not in the order of nodes");
  }

  @Test
  void noneTwiceNoneMissingNoneOfAnotherSpan() {
    List<Seal> seals = chain(new UsageRig.TestSigner(), 33);
    List<Seal> right = seals.subList(1, 6);
    var twice = new ArrayList<>(right);
    twice.add(2, right.get(1));
    assertThat(fault(twice).orElseThrow()).contains("number 3", "it is given twice");
    var gap = new ArrayList<>(right);
    gap.remove(2);
    assertThat(fault(gap).orElseThrow()).contains("number 5", "seal 4 is missing before it");
    var late = new ArrayList<>(right);
    late.removeFirst();
    assertThat(fault(late).orElseThrow()).contains("number 3", "the seal before it is missing");
    assertThat(fault(seals.subList(31, 33)).orElseThrow()).contains("not in the span");
    assertThat(fault(seals.subList(0, 2)).orElseThrow()).contains("number 1", "not in the span");
  }

  @Test
  void aSealThatWasChangedIsNamed() {
    Seal right = chain(new UsageRig.TestSigner(), 2).getLast();
    var counts = new TreeMap<>(right.counts());
    counts.put("storage.requests", "999");
    var wrong =
        new Seal(
            right.node(),
            right.number(),
            right.from(),
            right.to(),
            right.accounting(),
            right.previous(),
            counts,
            right.lost(),
            right.signatures());
    assertThat(fault(List.of(wrong)).orElseThrow())
        .contains(wrong.address().toString(), "number 2", "the signature does not fit");
  }

  @Test
  void aForkOfTheChainIsRefused() {
    SealSigner signer = new UsageRig.TestSigner();
    List<Seal> seals = new ArrayList<>(chain(signer, 4).subList(1, 4));
    var units = new TreeMap<UsageKey, Long>();
    units.put(new UsageKey("acme", "storage.requests"), 77L);
    var span = new UsageSpan(3, seals.get(1).from(), seals.get(1).to(), units);
    seals.set(1, Seal.of(span, Optional.of(seals.get(0).address()), signer));
    assertThat(fault(seals).orElseThrow()).contains("number 4", "it does not follow seal");
  }

  @Test
  void whatIsLostIsAcceptedOnlyInWords() {
    var empty = new UsageSpan(1, NOVEMBER, NOVEMBER.plusSeconds(60), new TreeMap<>());
    Seal lost = Seal.lost(empty, Optional.empty(), "it is gone", new UsageRig.TestSigner());
    assertThat(fault(List.of(lost)).orElseThrow()).contains("lost: it is gone");
    var accepted = new SealList(NOVEMBER, DECEMBER, true, List.of(lost.address()));
    assertThat(accepted.fault(List.of(lost))).isEmpty();
  }

  @Test
  void aTextThatIsNoListIsRefused() {
    for (String text :
        List.of(
            "",
            "ron/usage-span/v1 x y\n",
            "ron/usage-span/v1 2026-12-01T00:00:00Z 2026-11-01T00:00:00Z\n",
            "ron/usage-span/v1 2026-11-01T00:00:00Z 2026-12-01T00:00:00Z with\n",
            "ron/usage-span/v1 2026-11-01T00:00:00Z 2026-12-01T00:00:00Z\nb3:00\n")) {
      assertThatThrownBy(() -> SealList.parse(text))
          .as(text)
          .isInstanceOf(java.io.IOException.class);
    }
  }
}
