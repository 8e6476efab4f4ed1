package dev.ron.client;

import java.io.IOException;

/** What a storage said no to, with its code and its words. */
public final class StorageRefusal extends IOException {
  private static final long serialVersionUID = 1L;

  private final int status;
  private final String code;

  StorageRefusal(int status, String code, String detail) {
    super(detail);
    this.status = status;
    this.code = code;
  }

  public int status() {
    return status;
  }

  public String code() {
    return code;
  }
}
