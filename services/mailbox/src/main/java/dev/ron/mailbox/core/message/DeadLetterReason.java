package dev.ron.mailbox.core.message;

import java.util.Arrays;
import java.util.Optional;

/** Why a message is in the dead letters; the codes are written to disk and to metrics. */
public enum DeadLetterReason {
  MAX_ATTEMPTS("max-attempts"),
  INTEGRITY("integrity"),
  RETENTION("retention");

  private final String code;

  DeadLetterReason(String code) {
    this.code = code;
  }

  public static Optional<DeadLetterReason> of(String code) {
    return Arrays.stream(values()).filter(reason -> reason.code.equals(code)).findFirst();
  }

  public String code() {
    return code;
  }
}
