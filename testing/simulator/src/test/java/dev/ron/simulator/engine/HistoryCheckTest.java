package dev.ron.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ron.testkit.CallHistory;
import dev.ron.testkit.ConditionalRegister;
import dev.ron.testkit.ConditionalRegister.Answer;
import dev.ron.testkit.ConditionalRegister.Ask;
import org.junit.jupiter.api.Test;

/** A history that is not known to be good is not taken for a good one. */
class HistoryCheckTest {
  private final CallHistory<Ask, Answer> history = new CallHistory<>();

  private void done(Ask ask, Answer answer) {
    history.begin("a", ask).answered(answer);
  }

  private void demand(long stepsMax) {
    HistoryCheck.demand(
        "a key is one register", "k", new ConditionalRegister(), history.operations(), stepsMax);
  }

  private String broken(long stepsMax) {
    return catchThrowableOfType(Violation.class, () -> demand(stepsMax)).invariant();
  }

  @Test
  void aGoodOneIsTaken() {
    done(new Ask.Put("1"), new Answer.Done());
    done(new Ask.Get(), new Answer.Value("1"));
    demand(100);
  }

  @Test
  void aSearchThatIsGivenUpIsAViolation() {
    done(new Ask.Put("1"), new Answer.Done());
    done(new Ask.Get(), new Answer.Value("1"));
    assertThat(broken(1)).isEqualTo(HistoryCheck.DECIDED);
  }

  @Test
  void whatNoRegisterAnswersIsAnother() {
    done(new Ask.Put("1"), new Answer.Done());
    done(new Ask.Get(), new Answer.Absent());
    assertThat(broken(100)).isEqualTo("a key is one register");
  }
}
