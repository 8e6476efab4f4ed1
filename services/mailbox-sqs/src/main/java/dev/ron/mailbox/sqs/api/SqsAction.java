package dev.ron.mailbox.sqs.api;

import dev.ron.mailbox.sqs.protocol.AnswerTree;

/**
 * One action of the door, in the three steps that every service has: parse, handle, write.
 *
 * <p>It reads and writes trees of the model's members, and does not know in which protocol they
 * come and go. What the caller may do is asked in {@code parse}, as soon as the queue is known.
 *
 * @param <Q> the request: all that the action needs, checked
 * @param <A> the reply
 */
public interface SqsAction<Q, A> {
  /** Reads the members; refuses what is not in its form, or not allowed. */
  Q parse(SqsCall call) throws Exception;

  /** Does the work; knows nothing of HTTP. */
  A handle(Q request) throws Exception;

  /** The members of the answer. */
  AnswerTree write(A reply) throws Exception;

  /** Whether the model gives it an answer at all. */
  default boolean hasResult() {
    return true;
  }

  /** Whether it can also be asked for at the address of a queue. */
  default boolean onQueue() {
    return true;
  }

  /** The three steps. */
  default AnswerTree answer(SqsCall call) throws Exception {
    return write(handle(parse(call)));
  }
}
