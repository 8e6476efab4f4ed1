package dev.ron.node.trace;

import dev.ron.kernel.time.Deadline;
import java.time.Duration;

/** Brings a batch of spans to where it belongs. */
interface SpanSender {
  /** As logs call it. */
  String name();

  /** Waits for the verdict, no longer than the deadline. */
  Verdict send(byte[] batch, Deadline deadline) throws InterruptedException;

  /** What was said to a batch. */
  sealed interface Verdict {
    /**
     * @param rejected how many of the spans were not wanted
     */
    record Taken(long rejected) implements Verdict {}

    /**
     * @param rest how long the receiver wants to be left alone; zero if it did not say
     */
    record Later(String why, Duration rest) implements Verdict {}

    record Refused(String why) implements Verdict {}
  }
}
