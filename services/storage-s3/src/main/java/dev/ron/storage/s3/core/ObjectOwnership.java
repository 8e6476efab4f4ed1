package dev.ron.storage.s3.core;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.Optional;

/** Whose an object is that another tenant than the bucket's owner stores in it. */
public enum ObjectOwnership {
  /** The bucket owner's, and access control lists decide nothing. */
  BUCKET_OWNER_ENFORCED("BucketOwnerEnforced"),
  /** The bucket owner's if the writer gives it full control, else the writer's. */
  BUCKET_OWNER_PREFERRED("BucketOwnerPreferred"),
  /** The writer's; so it is in a bucket that says nothing. */
  OBJECT_WRITER("ObjectWriter");

  private final String text;

  ObjectOwnership(String text) {
    this.text = text;
  }

  /** As documents and fields spell it. */
  public static Optional<ObjectOwnership> of(String text) {
    return Arrays.stream(values()).filter(each -> each.text.equals(text)).findFirst();
  }

  /** As it is kept; the writer's where it is none of these. */
  public static ObjectOwnership read(byte[] text) {
    return of(new String(text, UTF_8)).orElse(OBJECT_WRITER);
  }

  @Override
  public String toString() {
    return text;
  }
}
