package dev.ron.rewarder.core.payout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.capability.caveat.Owner;
import dev.ron.rewarder.core.Wide;
import dev.ron.testkit.Seeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class DoubleEntryTest {
  private static final DoubleEntry.Book BOOK =
      new DoubleEntry.Book("run", "2026", "ROC", Wide.of(1000));

  @Test
  void everyKeyIsPaidOnceAndTheBooksBalanceWhateverComes() {
    Seeds.forEach(
        300,
        (_, random) -> {
          var ledger = new DoubleEntry(1000);
          var again = new DoubleEntry(1000);
          var paid = new HashSet<String>();
          Map<String, Long> expected = new HashMap<>();
          for (int round = 0; round < 30; round++) {
            String run = "run" + random.nextInt(2);
            var book = new DoubleEntry.Book(run, run, "ROC", Wide.of(1_000_000));
            var intents = new ArrayList<Intent>();
            for (int i = random.nextInt(6); i >= 0; i--) {
              long line = 1L + random.nextInt(40);
              intents.add(new Intent(run, line, "actor" + line % 7, Wide.of(line * 3)));
            }
            var post = (DoubleEntry.Decision.Post) ledger.decide(book, intents);
            assertThat(post.posting().intents().size() + post.duplicates())
                .isEqualTo(intents.size());
            for (Intent intent : post.posting().intents()) {
              assertThat(paid.add(intent.key())).as(intent.key()).isTrue();
              expected.merge("actor:ROC:" + intent.actor(), intent.line() * 3, Long::sum);
            }
            ledger.apply(post.posting());
            again.apply(post.posting());
            assertThat(ledger.sums(Owner.OPERATOR).all().balance()).isEqualTo("0");
          }
          expected.forEach(
              (account, sum) ->
                  assertThat(ledger.account(account).orElseThrow().balance())
                      .isEqualTo(Long.toString(sum)));
          assertThat(again.accounts()).isEqualTo(ledger.accounts());
          assertThat(ledger.settled("run0") + ledger.settled("run1")).isEqualTo(paid.size());
        });
  }

  @Test
  void morethanThePoolIsNeverPaid() {
    var ledger = new DoubleEntry(10);
    post(ledger, 1, 600);
    assertThat(ledger.decide(BOOK, List.of(new Intent("run", 2, "b", Wide.of(401)))))
        .isEqualTo(new DoubleEntry.Decision.Refuse("the pool has 400 left, 401 are asked for"));
    post(ledger, 2, 400);
    assertThat(ledger.account("pool:ROC:2026").orElseThrow().balance()).isEqualTo("0");
    assertThat(ledger.account("issuance:ROC").orElseThrow().balance()).isEqualTo("-1000");
  }

  @Test
  void accountsAreBounded() {
    var ledger = new DoubleEntry(3);
    post(ledger, 1, 1);
    assertThat(ledger.decide(BOOK, List.of(new Intent("run", 2, "new", Wide.ONE))))
        .isInstanceOf(DoubleEntry.Decision.Refuse.class);
  }

  private static void post(DoubleEntry ledger, long line, long amount) {
    var decision = ledger.decide(BOOK, List.of(new Intent("run", line, "a", Wide.of(amount))));
    ledger.apply(((DoubleEntry.Decision.Post) decision).posting());
  }
}
