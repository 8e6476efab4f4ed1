package dev.ron.storage.s3.names;

import dev.ron.blake3.Address;
import dev.ron.storage.s3.core.Bucket.Versioning;
import dev.ron.storage.s3.core.EntityTag;
import dev.ron.storage.s3.core.Extent;
import dev.ron.storage.s3.core.ObjectContent;
import dev.ron.storage.s3.core.ObjectKey;
import dev.ron.storage.s3.core.ObjectVersion;
import dev.ron.storage.s3.core.Uid;
import dev.ron.storage.s3.core.VersionRef;
import dev.ron.storage.s3.core.WriteCondition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What names must be, as plain lists: every version of an object in one, the newest first.
 *
 * <p>Threading: owned by one thread.
 */
final class NameModel {
  final Map<String, Kept> buckets = new TreeMap<>();

  /** The parts of uploads, of objects made of them, and of those that are to be let go. */
  final Map<Uid, Map<Integer, Set<Address>>> parts = new LinkedHashMap<>();

  final Set<Uid> trash = new LinkedHashSet<>();

  /** A bucket. */
  static final class Kept {
    final long id;
    Versioning versioning = Versioning.OFF;
    final Map<ObjectKey, List<Version>> objects = new TreeMap<>();
    final Map<Uid, ObjectKey> uploads = new LinkedHashMap<>();
    final Map<Uid, ObjectKey> completed = new HashMap<>();
    final Map<Uid, String> completedTags = new HashMap<>();

    Kept(long id) {
      this.id = id;
    }

    List<Version> versions(ObjectKey key) {
      return objects.computeIfAbsent(key, _ -> new ArrayList<>());
    }
  }

  /**
   * @param upload whose parts it is made of; null if it is not
   */
  record Version(
      Uid uid,
      boolean isNull,
      boolean marker,
      String etag,
      Set<Address> blocks,
      @Nullable Uid upload) {}

  static Set<Address> blocks(ObjectContent content) {
    var blocks = new HashSet<Address>();
    if (content instanceof ObjectContent.Blocks(List<Extent> extents)) {
      extents.forEach(extent -> blocks.add(extent.block()));
    }
    return blocks;
  }

  private @Nullable Kept bucket(String name, long id) {
    Kept kept = buckets.get(name);
    return kept != null && kept.id == id ? kept : null;
  }

  /** What is answered: {@code ok} or the code of a fault. */
  String step(NameCommand command, long sequence) {
    return switch (command) {
      case NameCommand.CreateBucket create -> {
        boolean made = buckets.putIfAbsent(create.name().text(), new Kept(sequence)) == null;
        yield made ? "ok" : "BucketAlreadyOwnedByYou";
      }
      case NameCommand.DeleteBucket drop -> drop(drop.name().text(), drop.bucket());
      case NameCommand.ChangeBucket change -> {
        Kept kept = bucket(change.name().text(), change.bucket());
        if (kept != null) {
          kept.versioning = Objects.requireNonNull(change.versioning());
        }
        yield kept == null ? "NoSuchBucket" : "ok";
      }
      case NameCommand.PutObject put -> {
        Kept kept = bucket(put.name().text(), put.bucket());
        var version =
            new Version(
                new Uid(sequence, put.version().uid().chance()),
                false,
                false,
                put.version().etag().md5(),
                blocks(put.version().content()),
                null);
        yield kept == null ? "NoSuchBucket" : put(kept, put.key(), version, put.condition());
      }
      case NameCommand.DeleteObject delete -> {
        Kept kept = bucket(delete.name().text(), delete.bucket());
        yield kept == null ? "NoSuchBucket" : delete(kept, delete, sequence);
      }
      case NameCommand.CreateUpload create -> {
        Kept kept = bucket(create.name().text(), create.bucket());
        if (kept != null) {
          var uid = new Uid(sequence, create.upload().id().chance());
          kept.uploads.put(uid, create.key());
          parts.put(uid, new TreeMap<>());
        }
        yield kept == null ? "NoSuchBucket" : "ok";
      }
      case NameCommand.PutPart put -> {
        boolean open = isOpen(put.upload());
        if (open) {
          parts.get(put.upload()).put(put.part().number(), blocks(put.part().content()));
        }
        yield open ? "ok" : "NoSuchUpload";
      }
      case NameCommand.CompleteUpload complete -> complete(complete, sequence);
      case NameCommand.AbortUpload abort -> {
        boolean open = isOpen(abort.upload());
        if (open) {
          buckets.values().forEach(kept -> kept.uploads.remove(abort.upload()));
          trash.add(abort.upload());
        }
        yield open ? "ok" : "NoSuchUpload";
      }
      case NameCommand.ReleaseParts release -> {
        release.numbers().forEach(number -> parts.get(release.upload()).remove(number));
        if (release.last()) {
          parts.remove(release.upload());
          trash.remove(release.upload());
        }
        yield "ok";
      }
      case NameCommand.Forget _, NameCommand.ForgetCompleted _ -> "ok";
      case NameCommand.Condemn _,
          NameCommand.Bury _,
          NameCommand.ForgetBuried _,
          NameCommand.NoteOrphans _,
          NameCommand.PutSetting _,
          NameCommand.AmendObject _ ->
          throw new IllegalArgumentException("not modelled: " + command);
    };
  }

  private boolean isOpen(Uid upload) {
    return buckets.values().stream().anyMatch(kept -> kept.uploads.containsKey(upload));
  }

  private String drop(String name, long id) {
    Kept kept = bucket(name, id);
    if (kept == null) {
      return "NoSuchBucket";
    }
    if (kept.objects.values().stream().anyMatch(versions -> !versions.isEmpty())) {
      return "BucketNotEmpty";
    }
    trash.addAll(kept.uploads.keySet());
    buckets.remove(name);
    return "ok";
  }

  private String put(Kept kept, ObjectKey key, Version version, WriteCondition condition) {
    Optional<Version> current =
        kept.versions(key).stream().findFirst().filter(newest -> !newest.marker());
    if (condition.ifNoneMatch() != null && current.isPresent()) {
      return "PreconditionFailed";
    }
    if (condition.ifMatch() != null && current.isEmpty()) {
      return "NoSuchKey";
    }
    if (condition.ifMatch() != null && !current.get().etag().equals(condition.ifMatch())) {
      return "PreconditionFailed";
    }
    add(kept, key, version);
    return "ok";
  }

  private void add(Kept kept, ObjectKey key, Version version) {
    boolean isNull = kept.versioning != Versioning.ENABLED;
    if (isNull) {
      kept.versions(key).stream().filter(Version::isNull).toList().forEach(v -> drop(kept, key, v));
    }
    kept.versions(key)
        .addFirst(
            new Version(
                version.uid(),
                isNull,
                version.marker(),
                version.etag(),
                version.blocks(),
                version.upload()));
  }

  private void drop(Kept kept, ObjectKey key, Version version) {
    kept.versions(key).remove(version);
    if (version.upload() != null) {
      trash.add(version.upload());
    }
  }

  private String delete(Kept kept, NameCommand.DeleteObject delete, long sequence) {
    List<Version> versions = kept.versions(delete.key());
    switch (delete.version()) {
      case VersionRef.Current _ -> {
        if (kept.versioning == Versioning.OFF) {
          List.copyOf(versions).forEach(version -> drop(kept, delete.key(), version));
        } else {
          var uid = new Uid(sequence, delete.chance());
          add(kept, delete.key(), new Version(uid, false, true, "", Set.of(), null));
        }
      }
      case VersionRef.Null _ ->
          versions.stream()
              .filter(Version::isNull)
              .toList()
              .forEach(version -> drop(kept, delete.key(), version));
      case VersionRef.Exact(Uid uid) ->
          versions.stream()
              .filter(version -> version.uid().equals(uid) && !version.isNull())
              .toList()
              .forEach(version -> drop(kept, delete.key(), version));
    }
    return "ok";
  }

  private String complete(NameCommand.CompleteUpload complete, long sequence) {
    Kept kept = bucket(complete.name().text(), complete.bucket());
    Uid upload = complete.upload();
    if (kept == null) {
      return "NoSuchBucket";
    }
    String tag = new EntityTag(complete.md5(), complete.parts().size()).toString();
    if (!complete.key().equals(kept.uploads.get(upload))) {
      return complete.key().equals(kept.completed.get(upload))
              && tag.equals(kept.completedTags.get(upload))
          ? "ok"
          : "NoSuchUpload";
    }
    List<Integer> numbers = complete.parts().stream().map(NameCommand.PartSeen::number).toList();
    if (!parts.get(upload).keySet().containsAll(numbers)) {
      return "InvalidPart";
    }
    var version =
        new Version(new Uid(sequence, complete.chance()), false, false, tag, Set.of(), upload);
    String told = put(kept, complete.key(), version, complete.condition());
    if (told.equals("ok")) {
      parts.get(upload).keySet().retainAll(numbers);
      kept.uploads.remove(upload);
      kept.completed.put(upload, complete.key());
      kept.completedTags.put(upload, tag);
    }
    return told;
  }

  /** Every reference there must be, as its row's key. */
  Set<String> references() {
    var rows = new HashSet<String>();
    for (Kept kept : buckets.values()) {
      for (List<Version> versions : kept.objects.values()) {
        for (Version version : versions) {
          version.blocks().forEach(block -> rows.add(row(block, version.uid(), 0)));
        }
      }
    }
    parts.forEach(
        (upload, all) ->
            all.forEach(
                (number, blocks) -> blocks.forEach(block -> rows.add(row(block, upload, number)))));
    return rows;
  }

  static String row(Address block, Uid owner, int part) {
    return block + " " + owner + " " + part;
  }

  static Version of(ObjectVersion version) {
    return new Version(
        version.uid(),
        version.isNull(),
        version.isMarker(),
        version.isMarker() ? "" : version.etag().toString(),
        blocks(version.content()),
        version.content() instanceof ObjectContent.Parts(Uid upload, _) ? upload : null);
  }
}
