package dev.ron.testkit;

import java.util.Optional;

/**
 * An object as if it were used by one caller at a time: what each operation does to it and may
 * answer.
 *
 * @param <S> its state; equal states are the same to every later operation
 * @param <I> what is asked
 * @param <O> what is answered
 */
public interface SequentialModel<S, I, O> {
  S initial();

  /**
   * The state after an operation, which is empty if the object would have answered otherwise.
   *
   * @param answer empty where the caller never heard one, which fits every state
   */
  Optional<S> after(S state, I asked, Optional<O> answer);
}
