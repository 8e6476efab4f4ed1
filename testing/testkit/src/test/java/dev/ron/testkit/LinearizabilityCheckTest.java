package dev.ron.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.testkit.CallHistory.Operation;
import dev.ron.testkit.ConditionalRegister.Answer;
import dev.ron.testkit.ConditionalRegister.Ask;
import dev.ron.testkit.LinearizabilityCheck.Verdict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Histories that are known to be right or wrong, and short ones against all their orders. */
final class LinearizabilityCheckTest {
  private static final ConditionalRegister MODEL = new ConditionalRegister();

  private static Verdict<Ask, Answer> check(String script) {
    return LinearizabilityCheck.of(MODEL, history(script), 1_000_000);
  }

  /**
   * A line is a caller's: {@code (} begins what follows, {@code )} ends it with an answer, at the
   * column it stands in. An operation without an end is open.
   */
  private static List<Operation<Ask, Answer>> history(String script) {
    var all = new ArrayList<Operation<Ask, Answer>>();
    for (String line : script.lines().toList()) {
      for (int at = line.indexOf('('); at >= 0; at = line.indexOf('(', at + 1)) {
        int end = line.indexOf(')', at);
        String[] words = line.substring(at + 1, end < 0 ? line.length() : end).strip().split(" +");
        String caller = line.substring(0, line.indexOf(' '));
        Ask asked = asked(words);
        all.add(
            end < 0
                ? Operation.open(caller, asked, at)
                : new Operation<>(
                    caller, asked, Optional.of(answer(words[words.length - 1])), at, end));
      }
    }
    return all;
  }

  private static Ask asked(String[] words) {
    return switch (words[0]) {
      case "get" -> new Ask.Get();
      case "put" -> new Ask.Put(words[1]);
      case "new" -> new Ask.PutIfAbsent(words[1]);
      case "cas" -> new Ask.PutIfMatch(words[2], words[1]);
      case "del" -> new Ask.Delete();
      default -> throw new IllegalArgumentException(words[0]);
    };
  }

  private static Answer answer(String word) {
    return switch (word) {
      case "ok" -> new Answer.Done();
      case "412" -> new Answer.Failed();
      case "404" -> new Answer.Absent();
      default -> new Answer.Value(word);
    };
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        """
        a (put 1 ok)     (get 1)
        b           (get 1)
        """,
        """
        a (new 1         ok)
        b   (new 2      412)
        c     (get 404)      (get 1)
        """,
        """
        a (put 1 ok) (cas 1 2    ok)
        b              (cas 1 3 412)  (get 2)
        """,
        """
        a (put 1 ok) (cas 1 2
        b                    (get 1) (get 2) (cas 2 3 ok) (get 3)
        """,
        """
        a (put 1
        b       (get 404) (get 404) (get 1)
        """,
        """
        a (put 1 ok)   (del    ok)
        b            (get    404)  (cas 1 2 404)
        """,
        """
        a (put 1
        b   (put 2
        c         (get 2) (get 1) (new 3 412) (del ok) (new 4 ok)
        """,
      })
  void someOrderAnswersSo(String script) {
    assertThat(check(script)).isInstanceOf(Verdict.Linearizable.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // A stale read.
        """
        a (put 1 ok) (put 2 ok)
        b                       (get 1)
        """,
        // Two writers, both told that they were first.
        """
        a (new 1   ok)
        b   (new 2   ok)
        """,
        // Of two that expected the same, both got it.
        """
        a (put 1 ok) (cas 1 2   ok)
        b              (cas 1 3   ok)
        """,
        // An acknowledged write is lost.
        """
        a (put 1 ok)
        b             (get 404)
        """,
        // Two readers see two writes in two orders.
        """
        a (put 1          ok)
        b (put 2          ok)
        c (get 1) (get 2)
        d (get 2) (get 1)
        e                     (get 2)
        """,
        // A write of unknown end is done twice.
        """
        a (put 1
        b        (get 1) (put 2 ok) (get 2) (get 1)
        """,
        // It is seen, and gone again without a delete.
        """
        a (put 1
        b        (get 1) (get 404)
        """,
        // Refused though there was nothing.
        """
        a (new 1 412)
        """,
        // A value that was never written, and one from the future.
        """
        a (get 7)
        """,
        """
        a (get 1) (put 1 ok)
        """,
        // A failed condition of unknown end cannot explain a value.
        """
        a (put 1 ok) (cas 9 2
        b                      (get 2)
        """,
      })
  void noOrderAnswersSo(String script) {
    assertThat(check(script)).isInstanceOf(Verdict.Violation.class);
  }

  @Test
  void aViolationShowsWhereTheOrderEnds() {
    Verdict<Ask, Answer> verdict =
        check(
            """
            a (put 1 ok) (put 2 ok)
            b                       (get 1)
            """);
    assertThat(verdict.toString())
        .contains("a: Put[value=2] -> Done[]")
        .containsSubsequence("none of these can follow", "b: Get[] -> Value[value=1]");
  }

  @Test
  void aSearchThatTakesTooLongDecidesNothing() {
    assertThat(LinearizabilityCheck.of(MODEL, history("a (put 1 ok) (get 1)"), 1))
        .isInstanceOf(Verdict.Undecided.class);
  }

  @Test
  void shortHistoriesAreJudgedAsByAllTheirOrders() {
    var verdicts = new HashMap<Boolean, Integer>();
    Seeds.forEach(
        4000,
        (_, random) -> {
          List<Operation<Ask, Answer>> history = draw(random);
          boolean expected = tried(Optional.empty(), history);
          verdicts.merge(expected, 1, Integer::sum);
          Verdict<Ask, Answer> verdict = LinearizabilityCheck.of(MODEL, history, 1_000_000);
          assertThat(verdict instanceof Verdict.Linearizable)
              .as("%s of %s", verdict, history)
              .isEqualTo(expected);
        });
    assertThat(verdicts.get(true)).isGreaterThan(400);
    assertThat(verdicts.get(false)).isGreaterThan(400);
  }

  /** Every order, one by one, without a memory. */
  private static boolean tried(Optional<String> state, List<Operation<Ask, Answer>> left) {
    if (left.stream().allMatch(each -> each.answer().isEmpty())) {
      return true;
    }
    for (Operation<Ask, Answer> first : left) {
      boolean early = left.stream().noneMatch(each -> each.answered() < first.called());
      Optional<Optional<String>> after = MODEL.after(state, first.asked(), first.answer());
      var rest = new ArrayList<>(left);
      rest.remove(first);
      if (early && after.isPresent() && tried(after.get(), rest)) {
        return true;
      }
    }
    return false;
  }

  /** Up to six operations of three callers, with answers that are often right. */
  private static List<Operation<Ask, Answer>> draw(RandomGenerator random) {
    int count = random.nextInt(2, 7);
    var history = new ArrayList<Operation<Ask, Answer>>();
    Map<Integer, Long> free = new HashMap<>();
    Optional<String> state = Optional.empty();
    for (int i = 0; i < count; i++) {
      int caller = random.nextInt(3);
      long called = Math.max(free.getOrDefault(caller, 0L), i * 10L) + random.nextInt(8);
      String old = Integer.toString(random.nextInt(Math.max(1, i)));
      Ask asked =
          switch (random.nextInt(5)) {
            case 0 -> new Ask.Put("" + i);
            case 1 -> new Ask.PutIfAbsent("" + i);
            case 2 -> new Ask.PutIfMatch("" + i, old);
            case 3 -> new Ask.Delete();
            default -> new Ask.Get();
          };
      if (random.nextInt(6) == 0) {
        history.add(Operation.open("c" + caller, asked, called * 16 + i));
        free.put(caller, called + 1000);
        continue;
      }
      Answer answer = random.nextInt(5) == 0 ? drawn(random, old) : fitting(state, asked);
      state = MODEL.after(state, asked, Optional.empty()).orElse(state);
      long answered = called + random.nextInt(1, 30);
      free.put(caller, answered + 1);
      history.add(
          new Operation<>(
              "c" + caller, asked, Optional.of(answer), called * 16 + i, answered * 16 + i));
    }
    return history;
  }

  private static Answer fitting(Optional<String> state, Ask asked) {
    for (Answer each : List.of(new Answer.Done(), new Answer.Failed(), new Answer.Absent())) {
      if (MODEL.after(state, asked, Optional.of(each)).isPresent()) {
        return each;
      }
    }
    return new Answer.Value(state.orElse("none"));
  }

  private static Answer drawn(RandomGenerator random, String old) {
    return switch (random.nextInt(4)) {
      case 0 -> new Answer.Done();
      case 1 -> new Answer.Failed();
      case 2 -> new Answer.Absent();
      default -> new Answer.Value(old);
    };
  }
}
