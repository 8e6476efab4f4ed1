package dev.ron.storage.s3.api;

import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import java.util.Optional;

/**
 * One operation of the door, in the three steps that every service has: parse, handle, write.
 *
 * <p>Like {@code Verb} of the other doors, but for what it reads: a call whose signature was
 * checked, and whose caller may do what {@link #action} says.
 *
 * @param <Q> the request: all that the operation needs, checked
 * @param <A> the reply
 */
public interface S3Verb<Q, A> {
  /**
   * The call as it is to be judged. Only a form says in its body who sends it and which key it is
   * about; for all others the call stays as it is.
   */
  default S3Call admit(S3Call call, S3Admission admission) throws Exception {
    return call;
  }

  /** Whether the body may say who calls: only {@link #admit} knows then whose limits hold. */
  default boolean isSignedInBody() {
    return false;
  }

  /** A verb that may have its answer in memory. */
  interface Hot<Q, A> extends S3Verb<Q, A> {
    /** On the event loop, after {@link #handle}: the answer, if it waits for nothing. */
    Optional<Answer> hot(A reply) throws Refusal;

    @Override
    Q parse(S3Call call) throws Refusal;

    @Override
    A handle(Q request) throws Refusal;
  }

  /** What the caller must be allowed to do. */
  S3Action action(S3Call call);

  /** Reads target, parameters, fields and body; refuses what is not in its form. */
  Q parse(S3Call call) throws Exception;

  /** Does the work; knows nothing of HTTP. */
  A handle(Q request) throws Exception;

  /** Puts the reply on the wire. */
  Answer write(A reply) throws Exception;

  /** The three steps. */
  default Answer answer(S3Call call) throws Exception {
    return write(handle(parse(call)));
  }
}
