package dev.ron.storage.s3.setting;

import dev.ron.http.Refusal;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.api.S3Action;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.BucketSetting;
import dev.ron.storage.s3.names.NameView;
import java.util.function.Function;

/**
 * A setting of a bucket that clients put, get and delete as one document.
 *
 * <p>Threading: immutable.
 *
 * @param part the parameter that names it
 * @param noun its name in the names of its operations
 * @param mediaType of the document
 * @param putStatus what a put is answered with
 * @param absent what is answered of a bucket of that name that has none
 * @param check what is kept of a document
 */
public record SettingDocument(
    BucketSetting setting,
    String part,
    String noun,
    String mediaType,
    int putStatus,
    Rights rights,
    Function<String, S3Fault> absent,
    Check check) {
  /** What a caller must be allowed to do. */
  public record Rights(S3Action get, S3Action put, S3Action delete) {}

  /** Refuses a document that is none, and says what is kept of it. */
  @FunctionalInterface
  public interface Check {
    byte[] kept(byte[] document, Bucket bucket, NameView view) throws Refusal;
  }
}
