package dev.ron.mailbox.sqs.api;

import dev.ron.mailbox.sqs.protocol.AnswerTree;

/**
 * An action that the model gives no answer: it was done, or refused.
 *
 * @param <Q> the request: all that the action needs, checked
 */
public interface SilentAction<Q> extends SqsAction<Q, SilentAction.Done> {
  /** All that there is to say. */
  record Done() {}

  @Override
  default AnswerTree write(Done reply) {
    return new AnswerTree();
  }

  @Override
  default boolean hasResult() {
    return false;
  }
}
