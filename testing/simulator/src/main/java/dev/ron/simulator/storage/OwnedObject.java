package dev.ron.simulator.storage;

import dev.ron.testkit.SequentialModel;
import java.util.Optional;

/**
 * An object as one owner sees it: there or not.
 *
 * <p>Threading: immutable.
 *
 * @param opensEarly whether a write may be read before it is answered, and be taken back if it is
 *     refused: so it is where no reference opens an object
 */
record OwnedObject(boolean opensEarly)
    implements SequentialModel<OwnedObject.State, OwnedObject.Ask, OwnedObject.Answer> {
  /** What is asked. */
  enum Ask {
    PUT,
    /** Of a write that was refused; asked by none, and may come to be at any time. */
    TAKE_BACK,
    GET,
    DELETE
  }

  /** What is heard. */
  enum Answer {
    DONE,
    THERE,
    ABSENT
  }

  /** What there is. */
  enum State {
    ABSENT,
    /** By a write that was not answered. */
    EARLY,
    THERE
  }

  @Override
  public State initial() {
    return State.ABSENT;
  }

  @Override
  public Optional<State> after(State state, Ask asked, Optional<Answer> answer) {
    return switch (asked) {
      case PUT -> {
        boolean early = opensEarly && answer.isEmpty() && state != State.THERE;
        yield Optional.of(early ? State.EARLY : State.THERE);
      }
      case TAKE_BACK -> Optional.of(state == State.EARLY ? State.ABSENT : state);
      case DELETE -> Optional.of(State.ABSENT);
      case GET -> {
        Answer seen = state == State.ABSENT ? Answer.ABSENT : Answer.THERE;
        yield answer.isEmpty() || answer.get() == seen ? Optional.of(state) : Optional.empty();
      }
    };
  }
}
