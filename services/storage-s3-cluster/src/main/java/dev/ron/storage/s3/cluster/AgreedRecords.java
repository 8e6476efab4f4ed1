package dev.ron.storage.s3.cluster;

import dev.ron.http.Refusal;
import dev.ron.kernel.Scope;
import dev.ron.ordered.KeyRange;
import dev.ron.ordered.RowCursor;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.core.Acl;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.BucketName;
import dev.ron.storage.s3.core.EntityTag;
import dev.ron.storage.s3.core.ObjectContent;
import dev.ron.storage.s3.core.ObjectKey;
import dev.ron.storage.s3.core.ObjectVersion;
import dev.ron.storage.s3.core.Uid;
import dev.ron.storage.s3.core.WriteCondition;
import dev.ron.storage.s3.names.NameCommand;
import dev.ron.storage.s3.names.NameOutcome;
import dev.ron.storage.s3.names.Names;
import dev.ron.storage.s3.names.RowKeys;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;

/**
 * Small records that the machines agree on by the log of names, for parts of a node that have no
 * log of their own.
 *
 * <p>Each is an object in a bucket that no request can name, written by the commands that every
 * build reads: a machine that is not upgraded yet keeps them like all others.
 *
 * <p>Threading: thread-safe.
 */
public final class AgreedRecords {
  /** None that a capability can name. */
  private static final String OWNER = "~records";

  private final Scope scope;
  private final Names names;

  AgreedRecords(Scope scope, Names names) {
    this.scope = scope;
    this.names = names;
  }

  /** As far as this machine knows; one that was agreed on and never replaced holds for good. */
  public Optional<byte[]> known(String key) {
    return names
        .view()
        .bucket(BucketName.RECORDS)
        .flatMap(bucket -> names.view().object(bucket.id(), key(key)))
        .map(AgreedRecords::bytes);
  }

  /**
   * The record that holds from now on: this one, unless there was one before.
   *
   * @throws Refusal if the machines do not agree now; the record may hold all the same
   */
  public byte[] agree(String key, byte[] record) throws Refusal, InterruptedException {
    Optional<byte[]> known = known(key);
    if (known.isPresent()) {
      return known.get();
    }
    return switch (put(key, record, WriteCondition.matching(null, "*"))) {
      // Decided here in the same order as everywhere, so it is in this machine's rows.
      case NameOutcome.Refused(S3Fault.PreconditionFailed _) -> known(key).orElseThrow();
      case NameOutcome.Refused(S3Fault other) -> throw Refusal.of(other);
      default -> record;
    };
  }

  /** The record that holds from now on, whatever there was. */
  public void replace(String key, byte[] record) throws Refusal, InterruptedException {
    if (put(key, record, WriteCondition.NONE) instanceof NameOutcome.Refused(S3Fault fault)) {
      throw Refusal.of(fault);
    }
  }

  /** The record of a key, if one was agreed on before the call. */
  public Optional<byte[]> record(String key) throws IOException, InterruptedException {
    return fresh(() -> known(key));
  }

  /** All records that were agreed on before the call, whose keys begin so. */
  public Map<String, byte[]> all(String prefix) throws IOException, InterruptedException {
    return fresh(() -> read(prefix));
  }

  private <T> T fresh(Callable<T> read) throws IOException, InterruptedException {
    try {
      return names.fresh(read);
    } catch (IOException | InterruptedException | RuntimeException thrown) {
      throw thrown;
    } catch (Exception other) {
      throw new IllegalStateException("a read of rows throws neither", other);
    }
  }

  private Map<String, byte[]> read(String prefix) throws IOException {
    var found = new TreeMap<String, byte[]>();
    Optional<Bucket> bucket = names.view().bucket(BucketName.RECORDS);
    if (bucket.isEmpty()) {
      return found;
    }
    byte[] from = RowKeys.object(bucket.get().id(), key(prefix));
    try (RowCursor rows = names.scan(KeyRange.withPrefix(from))) {
      while (rows.next()) {
        found.put(RowKeys.keyOfObject(rows.key()).toString(), bytes(Names.version(rows.value())));
      }
    }
    return found;
  }

  private NameOutcome put(String key, byte[] record, WriteCondition condition)
      throws Refusal, InterruptedException {
    return names.change(
        new NameCommand.PutObject(
            bucket().id(), BucketName.RECORDS, key(key), version(record), condition));
  }

  private Bucket bucket() throws Refusal, InterruptedException {
    Optional<Bucket> there = names.view().bucket(BucketName.RECORDS);
    if (there.isEmpty()) {
      NameOutcome made =
          names.change(
              new NameCommand.CreateBucket(
                  BucketName.RECORDS, OWNER, false, Acl.NONE, "", null, nowMillis()));
      if (made instanceof NameOutcome.Refused(S3Fault fault)
          && !(fault instanceof S3Fault.BucketAlreadyOwnedByYou)) {
        throw Refusal.of(fault);
      }
      there = names.view().bucket(BucketName.RECORDS);
    }
    return there.orElseThrow();
  }

  private ObjectVersion version(byte[] record) {
    return new ObjectVersion(
        new Uid(0, scope.chance().nextLong()),
        ObjectVersion.Kind.OBJECT,
        true,
        OWNER,
        nowMillis(),
        record.length,
        new EntityTag(md5(record), 0),
        null,
        List.of(),
        List.of(),
        Acl.NONE,
        null,
        false,
        new ObjectContent.Inline(record.clone()),
        null);
  }

  private long nowMillis() {
    return scope.time().wall().toEpochMilli();
  }

  private static byte[] bytes(ObjectVersion version) {
    return ((ObjectContent.Inline) version.content()).bytes().clone();
  }

  private static ObjectKey key(String text) {
    return ObjectKey.of(text).orElseThrow();
  }

  /** As a listing of objects would say it. */
  private static String md5(byte[] record) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(record));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every JDK has MD5", impossible);
    }
  }
}
