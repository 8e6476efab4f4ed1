package dev.ron.testkit;

import java.util.Optional;

/**
 * A named value with conditional writes, as a sequential object: an object of S3, a key of a store
 * with compare and set.
 *
 * <p>The state is the value, empty where there is none. Values that are written are all different,
 * so a value is also its tag.
 *
 * <p>Threading: stateless.
 */
public final class ConditionalRegister
    implements SequentialModel<
        Optional<String>, ConditionalRegister.Ask, ConditionalRegister.Answer> {
  /** What is asked. */
  public sealed interface Ask {
    record Get() implements Ask {}

    record Put(String value) implements Ask {}

    /** Only where there is none: {@code If-None-Match: *}. */
    record PutIfAbsent(String value) implements Ask {}

    /** Only where that is the value: {@code If-Match}. */
    record PutIfMatch(String value, String expected) implements Ask {}

    record Delete() implements Ask {}
  }

  /** What is heard. */
  public sealed interface Answer {
    /** The write or the delete was done. */
    record Done() implements Answer {}

    /** The condition did not hold. */
    record Failed() implements Answer {}

    /** The value that was read. */
    record Value(String value) implements Answer {}

    /** There is none: heard by a read, and by a write that expected one. */
    record Absent() implements Answer {}
  }

  @Override
  public Optional<String> initial() {
    return Optional.empty();
  }

  @Override
  public Optional<Optional<String>> after(
      Optional<String> state, Ask asked, Optional<Answer> answer) {
    Answer expected = answer(state, asked);
    if (answer.isPresent() && !answer.get().equals(expected)) {
      return Optional.empty();
    }
    boolean changes = expected instanceof Answer.Done;
    return Optional.of(changes ? written(asked) : state);
  }

  private static Answer answer(Optional<String> state, Ask asked) {
    return switch (asked) {
      case Ask.Get _ -> state.<Answer>map(Answer.Value::new).orElseGet(Answer.Absent::new);
      case Ask.Put _, Ask.Delete _ -> new Answer.Done();
      case Ask.PutIfAbsent _ -> state.isEmpty() ? new Answer.Done() : new Answer.Failed();
      case Ask.PutIfMatch(_, String expected) -> {
        if (state.isEmpty()) {
          yield new Answer.Absent();
        }
        yield state.get().equals(expected) ? new Answer.Done() : new Answer.Failed();
      }
    };
  }

  private static Optional<String> written(Ask asked) {
    return switch (asked) {
      case Ask.Put(String value) -> Optional.of(value);
      case Ask.PutIfAbsent(String value) -> Optional.of(value);
      case Ask.PutIfMatch(String value, _) -> Optional.of(value);
      case Ask.Delete _, Ask.Get _ -> Optional.empty();
    };
  }
}
