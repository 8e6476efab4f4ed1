package dev.ron.mailbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.mailbox.core.message.Ulid;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The ledger's rule for order is worth what it finds. */
final class SeenOrderTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1 2 3 4              | 0 | in order
          2 1                  | 1 | the second came first
          4 3 2 1              | 3 | all the wrong way round
          2 3 4 5 1            | 4 | one behind four
          1 3 2 5 4            | 1 | two pairs
          2 1 2 1              | 1 | only the first sight counts
          """)
  void oneAnswerAfterTheOther(String numbers, int depth, String why) {
    var order = new SeenOrder();
    long clock = 0;
    for (String number : numbers.strip().split(" ", -1)) {
      order.saw("t", ids(number), clock, clock + 1);
      clock += 2;
    }
    assertThat(order.depthMax()).as(why).isEqualTo(depth);
  }

  @Test
  void withinOneAnswerTheOrderCounts() {
    var order = new SeenOrder();
    order.saw("t", ids("3", "1", "2"), 0, 10);
    assertThat(order.depthMax()).isEqualTo(1);
  }

  @Test
  void answersThatOverlapAccuseNobody() {
    var order = new SeenOrder();
    order.saw("t", ids("5", "6"), 0, 10);
    order.saw("t", ids("1", "2"), 9, 12);
    assertThat(order.depthMax()).isZero();
  }

  @Test
  void topicsAndShardsAreOrderedApart() {
    var order = new SeenOrder();
    order.saw("t", ids("2"), 0, 1);
    order.saw("u", ids("1"), 2, 3);
    order.saw("t", List.of(new Ulid(1, 1 << 16).toString()), 4, 5);
    assertThat(order.depthMax()).isZero();
  }

  private static List<String> ids(String... numbers) {
    return Arrays.stream(numbers)
        .map(number -> new Ulid(0, Long.parseLong(number) << 16).toString())
        .toList();
  }
}
