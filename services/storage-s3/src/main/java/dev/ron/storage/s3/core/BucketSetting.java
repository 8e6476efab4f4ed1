package dev.ron.storage.s3.core;

/** What else can be set of a bucket; each is kept as the checked bytes that came. */
public enum BucketSetting {
  CORS(1),
  LIFECYCLE(2),
  POLICY(3),
  TAGS(4),
  PUBLIC_ACCESS_BLOCK(5),
  OWNERSHIP(6),
  OBJECT_LOCK(7),
  ENCRYPTION(8),
  LOCATION(9);

  private final int code;

  /**
   * @param code its name in rows and the log, never given to another
   */
  BucketSetting(int code) {
    this.code = code;
  }

  public int code() {
    return code;
  }

  public static BucketSetting of(int code) {
    for (BucketSetting setting : values()) {
      if (setting.code == code) {
        return setting;
      }
    }
    throw new IllegalArgumentException(code + " is no setting of a bucket");
  }
}
