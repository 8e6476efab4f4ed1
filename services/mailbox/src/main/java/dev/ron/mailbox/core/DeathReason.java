package dev.ron.mailbox.core;

/** Why a message is in the dead letters; the codes are written to disk and to metrics. */
public enum DeathReason {
  MAX_ATTEMPTS("max-attempts"),
  INTEGRITY("integrity"),
  RETENTION("retention");

  private final String code;

  DeathReason(String code) {
    this.code = code;
  }

  public String code() {
    return code;
  }
}
