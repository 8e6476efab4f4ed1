package dev.ron.storage.cluster.core;

import java.time.Duration;
import java.time.Instant;

/** Whether another node is there, by when it was last heard of. */
public enum Presence {
  /** It answers. */
  HERE,
  /** It does not answer, and may be back before its copies are worth replacing. */
  AWAY,
  /** It has been away for longer than the grace: its copies are made elsewhere. */
  GONE;

  /** Two missed calls may be chance, three are not; calls come once a second. */
  public static final Duration SILENCE_MAX = Duration.ofSeconds(3);

  public static Presence of(Instant lastHeard, Instant now, Duration grace) {
    Duration silence = Duration.between(lastHeard, now);
    if (silence.compareTo(SILENCE_MAX) <= 0) {
      return HERE;
    }
    return silence.compareTo(grace) <= 0 ? AWAY : GONE;
  }
}
