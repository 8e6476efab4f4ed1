package dev.ron.storage.s3.object;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.api.S3Resource;
import dev.ron.storage.s3.api.S3Rights;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.BucketName;
import dev.ron.storage.s3.core.ObjectKey;
import dev.ron.storage.s3.core.VersionRef;
import java.util.Arrays;
import java.util.Optional;

/**
 * The object that a copy takes its bytes from, as {@code x-amz-copy-source} names it.
 *
 * <p>Threading: immutable.
 */
public record CopySource(String bucket, ObjectKey key, VersionRef version) {
  private static final String CONDITIONS = S3Call.COPY_SOURCE + "-";

  public static CopySource of(S3Call call) throws Refusal {
    String text = call.header(S3Call.COPY_SOURCE);
    if (text == null) {
      throw new IllegalStateException("a copy was routed without a source");
    }
    return parse(text);
  }

  static CopySource parse(String field) throws Refusal {
    String text = field.strip();
    int query = text.indexOf(S3Call.COPY_VERSION);
    byte[] decoded = S3Call.copyPath(text);
    int slash = 0;
    while (slash < decoded.length && decoded[slash] != '/') {
      slash++;
    }
    if (slash == 0 || slash + 1 >= decoded.length) {
      throw invalid("Copy Source must mention the source bucket and key: sourcebucket/sourcekey");
    }
    ObjectKey key =
        ObjectKey.of(Arrays.copyOfRange(decoded, slash + 1, decoded.length))
            .orElseThrow(() -> invalid("the key of the copy source is none"));
    Optional<VersionRef> version =
        query < 0
            ? Optional.of(new VersionRef.Current())
            : VersionRef.parse(text.substring(query + S3Call.COPY_VERSION.length()));
    return new CopySource(
        new String(decoded, 0, slash, UTF_8),
        key,
        version.orElseThrow(() -> invalid("Invalid version id specified")));
  }

  /** The version that is there now, if the caller may read it and the conditions hold. */
  FoundVersion find(S3Call call) throws Refusal, InterruptedException {
    return call.context().names().atOnce(view -> findNow(call.by(view)));
  }

  private FoundVersion findNow(S3Call call) throws Refusal {
    Bucket from =
        BucketName.of(bucket)
            .flatMap(name -> call.view().bucket(name))
            .orElseThrow(() -> Refusal.of(new S3Fault.NoSuchBucket(bucket)));
    boolean current = version instanceof VersionRef.Current;
    S3Rights.requireRead(call, new S3Resource(from, key, version));
    boolean marker =
        !current
            && call.view()
                .version(from.id(), key, version)
                .filter(found -> found.version().isMarker())
                .isPresent();
    if (marker) {
      throw Refusal.of(
          new S3Fault.InvalidRequest(
              "The source of a copy request may not specifically refer to a delete marker by"
                  + " version id."));
    }
    FoundVersion found = FoundVersion.of(call, from, key, version);
    if (RequestConditions.ofRead(call, CONDITIONS, found.version())
        == RequestConditions.ReadVerdict.NOT_MODIFIED) {
      throw Refusal.of(new S3Fault.PreconditionFailed(CONDITIONS + "if-none-match"));
    }
    return found;
  }

  /** Whether that version is still there. */
  boolean has(S3Call call, FoundVersion found) {
    VersionRef same =
        found.version().isNull()
            ? new VersionRef.Null()
            : new VersionRef.Exact(found.version().uid());
    return BucketName.of(bucket)
        .flatMap(name -> call.view().bucket(name))
        .flatMap(from -> call.view().version(from.id(), key, same))
        .filter(now -> now.version().uid().equals(found.version().uid()))
        .isPresent();
  }

  /** Says which version was copied, where its bucket keeps several. */
  public static void addVersion(Headers headers, FoundVersion found) {
    if (found.versioned()) {
      headers.add("x-amz-copy-source-version-id", found.version().versionId());
    }
  }

  private static Refusal invalid(String why) {
    return Refusal.of(new S3Fault.InvalidArgument(why));
  }
}
