package dev.ron.storage.s3.names;

import dev.ron.blake3.Address;
import dev.ron.storage.s3.core.Acl;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.BucketName;
import dev.ron.storage.s3.core.BucketSetting;
import dev.ron.storage.s3.core.MultipartUpload;
import dev.ron.storage.s3.core.ObjectKey;
import dev.ron.storage.s3.core.ObjectOwnership;
import dev.ron.storage.s3.core.ObjectVersion;
import dev.ron.storage.s3.core.Retention;
import dev.ron.storage.s3.core.StoredChecksum;
import dev.ron.storage.s3.core.Uid;
import dev.ron.storage.s3.core.UploadPart;
import dev.ron.storage.s3.core.VersionRef;
import dev.ron.storage.s3.core.WriteCondition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A change of names as the log keeps it. What it leads to follows from the rows and the command
 * alone: time and chance are in it.
 */
public sealed interface NameCommand {
  /**
   * @param location the region that was asked for; empty for none
   * @param ownership null for a bucket that says nothing of it
   */
  record CreateBucket(
      BucketName name,
      String owner,
      boolean objectLock,
      Acl acl,
      String location,
      @Nullable ObjectOwnership ownership,
      long nowMillis)
      implements NameCommand {}

  record DeleteBucket(long bucket, BucketName name, long nowMillis) implements NameCommand {}

  /**
   * Changes what decides about writes.
   *
   * @param versioning null to leave it
   * @param acl null to leave it
   * @param lockOn switches object lock on, which nothing switches off
   */
  record ChangeBucket(
      long bucket,
      BucketName name,
      Bucket.@Nullable Versioning versioning,
      @Nullable Acl acl,
      boolean lockOn)
      implements NameCommand {}

  /**
   * @param value null to remove it
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record PutSetting(long bucket, BucketName name, BucketSetting setting, byte @Nullable [] value)
      implements NameCommand {}

  /**
   * Gives a name to bytes that are durable.
   *
   * @param version whole but for the sequence of its uid and whether it is a null version, which
   *     follow from the log and the bucket
   */
  record PutObject(
      long bucket, BucketName name, ObjectKey key, ObjectVersion version, WriteCondition condition)
      implements NameCommand {}

  /**
   * Deletes a version, or hides the object behind a marker.
   *
   * @param chance for the uid of a marker
   * @param bypassGovernance whether the caller has the right to and asked for it
   */
  record DeleteObject(
      long bucket,
      BucketName name,
      ObjectKey key,
      VersionRef version,
      WriteCondition condition,
      String owner,
      boolean bypassGovernance,
      long chance,
      long nowMillis)
      implements NameCommand {}

  /** Changes what is not the bytes of a version. */
  record AmendObject(
      long bucket,
      BucketName name,
      ObjectKey key,
      VersionRef version,
      Amendment amendment,
      long nowMillis)
      implements NameCommand {}

  /**
   * @param upload whole but for the sequence of its id
   */
  record CreateUpload(long bucket, BucketName name, ObjectKey key, MultipartUpload upload)
      implements NameCommand {}

  record PutPart(long bucket, BucketName name, ObjectKey key, Uid upload, UploadPart part)
      implements NameCommand {}

  /**
   * Makes an object of parts, whose bytes stay where they are.
   *
   * @param parts as the caller saw them; if one was replaced since, nothing happens
   * @param md5 of their MD5s
   */
  record CompleteUpload(
      long bucket,
      BucketName name,
      ObjectKey key,
      Uid upload,
      List<PartSeen> parts,
      String md5,
      @Nullable StoredChecksum checksum,
      WriteCondition condition,
      long chance,
      long nowMillis)
      implements NameCommand {
    public CompleteUpload {
      parts = List.copyOf(parts);
    }
  }

  /** A part as a completion names it. */
  record PartSeen(int number, String md5, long sizeBytes) {}

  record AbortUpload(long bucket, BucketName name, ObjectKey key, Uid upload, long nowMillis)
      implements NameCommand {}

  /**
   * Lets go of some parts of an upload or object that is deleted.
   *
   * @param trashedMillis when it was
   * @param last whether no parts are left then
   */
  record ReleaseParts(
      Uid upload, long trashedMillis, List<Integer> numbers, boolean last, long nowMillis)
      implements NameCommand {
    public ReleaseParts {
      numbers = List.copyOf(numbers);
    }
  }

  /** Blocks without references whose bytes were deleted. */
  record Forget(List<Garbage> garbage) implements NameCommand {
    public Forget {
      garbage = List.copyOf(garbage);
    }
  }

  /**
   * Begins to delete blocks on every machine. Those that have references again stay, and no name is
   * given to the others until their bytes are stored anew.
   *
   * @param machines all that may have the bytes
   */
  record Condemn(List<Garbage> garbage, List<String> machines) implements NameCommand {
    public Condemn {
      garbage = List.copyOf(garbage);
      machines = List.copyOf(machines);
    }
  }

  /**
   * A machine has deleted its bytes of condemned blocks, or is none of the machines any more and
   * its bytes do not count.
   */
  record Bury(String machine, List<Condemned> blocks, long nowMillis) implements NameCommand {
    public Bury {
      blocks = List.copyOf(blocks);
    }
  }

  /**
   * A block that is being deleted.
   *
   * @param sequence of the command that condemned it, for it may happen to a block again
   */
  record Condemned(Address block, long sequence) {}

  /**
   * Lets go of blocks that were deleted on all machines up to a place in the log. A request that
   * began before that place names no blocks any more.
   */
  record ForgetBuried(long sequence) implements NameCommand {}

  /** Notes blocks that no name leads to; those that have none after the grace are garbage. */
  record NoteOrphans(List<Address> blocks, long nowMillis) implements NameCommand {
    public NoteOrphans {
      blocks = List.copyOf(blocks);
    }
  }

  /** Completions of uploads whose answers no client asks for any more. */
  record ForgetCompleted(List<Completion> completions) implements NameCommand {
    public ForgetCompleted {
      completions = List.copyOf(completions);
    }
  }

  /** An upload that became an object. */
  record Completion(long bucket, ObjectKey key, Uid upload) {}

  /** A block that lost its last reference at that time. */
  record Garbage(long millis, Address block) {}

  /** What is changed of a version. */
  sealed interface Amendment {
    record Tags(List<ObjectVersion.Pair> tags) implements Amendment {
      public Tags {
        tags = List.copyOf(tags);
      }
    }

    record Grants(Acl acl) implements Amendment {}

    /**
     * @param retention null to end it
     * @param bypassGovernance whether the caller has the right to and asked for it
     */
    record Retain(@Nullable Retention retention, boolean bypassGovernance) implements Amendment {}

    record Hold(boolean on) implements Amendment {}
  }
}
