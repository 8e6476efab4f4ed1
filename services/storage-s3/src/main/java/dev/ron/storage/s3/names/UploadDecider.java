package dev.ron.storage.s3.names;

import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.EntityTag;
import dev.ron.storage.s3.core.MultipartUpload;
import dev.ron.storage.s3.core.ObjectContent;
import dev.ron.storage.s3.core.ObjectVersion;
import dev.ron.storage.s3.core.Uid;
import dev.ron.storage.s3.core.UploadPart;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * What commands about uploads in parts lead to.
 *
 * <p>Threading: as its rows.
 */
record UploadDecider(NameView view) {
  NameDecision create(NameCommand.CreateUpload command, long sequence) {
    if (objects().same(command.bucket(), command.name()) == null) {
      return NameDecision.refused(new S3Fault.NoSuchBucket(command.name().text()));
    }
    MultipartUpload upload = numbered(command.upload(), sequence);
    return new NameDecision()
        .put(RowKeys.upload(command.bucket(), command.key(), upload.id()), RowCodec.bytes(upload))
        .answer(new NameOutcome.UploadMade(upload));
  }

  private static MultipartUpload numbered(MultipartUpload draft, long sequence) {
    return new MultipartUpload(
        new Uid(sequence, draft.id().chance()),
        draft.owner(),
        draft.begunMillis(),
        draft.checksum(),
        draft.fields(),
        draft.tags(),
        draft.acl(),
        draft.retention(),
        draft.legalHold(),
        draft.encryption());
  }

  NameDecision put(NameCommand.PutPart command) {
    Uid upload = command.upload();
    UploadPart part = command.part();
    if (view.upload(command.bucket(), command.key(), upload).isEmpty()) {
      // It was completed or aborted while the part came.
      var refused = NameDecision.refused(new S3Fault.NoSuchUpload(upload.toString()));
      References.leave(refused, part.content(), part.modifiedMillis());
      return refused;
    }
    var decision = new NameDecision();
    Optional<UploadPart> old = view.part(upload, part.number());
    if (old.isPresent()) {
      References.release(decision, upload, old.get(), part.modifiedMillis());
    }
    decision.put(RowKeys.part(upload, part.number()), RowCodec.bytes(part));
    References.take(decision, part.content(), upload, part.number());
    return decision;
  }

  NameDecision complete(NameCommand.CompleteUpload command, long sequence) {
    Bucket bucket = objects().same(command.bucket(), command.name());
    if (bucket == null) {
      return NameDecision.refused(new S3Fault.NoSuchBucket(command.name().text()));
    }
    Uid id = command.upload();
    Optional<MultipartUpload> upload = view.upload(command.bucket(), command.key(), id);
    if (upload.isEmpty()) {
      // A client whose answer was lost asks again, and must hear the same; one that names other
      // parts has lost the upload to it.
      var asked = new EntityTag(command.md5(), command.parts().size());
      return view.completed(command.bucket(), command.key(), id)
          .filter(version -> version.etag().equals(asked))
          .map(
              version ->
                  new NameDecision()
                      .answer(
                          new NameOutcome.Stored(
                              version, bucket.versioning() != Bucket.Versioning.OFF)))
          .orElseGet(() -> NameDecision.refused(new S3Fault.NoSuchUpload(id.toString())));
    }
    Optional<S3Fault> fault =
        parts(command).or(() -> objects().failed(command.condition(), bucket, command.key()));
    if (fault.isPresent()) {
      return NameDecision.refused(fault.get());
    }
    var decision = new NameDecision();
    dropUnnamed(decision, command);
    ObjectVersion version =
        objects().placed(decision, bucket, command.key(), whole(command, upload.get()), sequence);
    return decision
        .delete(RowKeys.upload(command.bucket(), command.key(), id))
        .put(RowKeys.completed(command.bucket(), command.key(), id), RowCodec.bytes(version));
  }

  private Optional<S3Fault> parts(NameCommand.CompleteUpload command) {
    int left = command.parts().size();
    int before = 0;
    for (NameCommand.PartSeen seen : command.parts()) {
      left--;
      if (seen.number() <= before) {
        return Optional.of(new S3Fault.InvalidPartOrder());
      }
      before = seen.number();
      Optional<UploadPart> part =
          view.part(command.upload(), seen.number())
              .filter(
                  there -> there.md5().equals(seen.md5()) && there.sizeBytes() == seen.sizeBytes());
      if (part.isEmpty()) {
        return Optional.of(
            new S3Fault.InvalidPart(
                "part %d is not there, or is not the one named".formatted(seen.number())));
      }
      if (left > 0 && seen.sizeBytes() < UploadPart.BYTES_MIN) {
        return Optional.of(
            new S3Fault.EntityTooSmall(seen.number(), seen.sizeBytes(), UploadPart.BYTES_MIN));
      }
    }
    return Optional.empty();
  }

  /** A part that is not named is no part of the object; clients leave few of them. */
  private void dropUnnamed(NameDecision decision, NameCommand.CompleteUpload command) {
    Set<Integer> named = new HashSet<>();
    command.parts().forEach(part -> named.add(part.number()));
    view.parts(
        command.upload(),
        part -> {
          if (!named.contains(part.number())) {
            References.release(decision, command.upload(), part, command.nowMillis());
          }
          return true;
        });
  }

  private static ObjectVersion whole(NameCommand.CompleteUpload command, MultipartUpload upload) {
    int count = command.parts().size();
    return new ObjectVersion(
        new Uid(0, command.chance()),
        ObjectVersion.Kind.OBJECT,
        false,
        upload.owner(),
        command.nowMillis(),
        command.parts().stream().mapToLong(NameCommand.PartSeen::sizeBytes).sum(),
        new EntityTag(command.md5(), count),
        command.checksum(),
        upload.fields(),
        upload.tags(),
        upload.acl(),
        upload.retention(),
        upload.legalHold(),
        new ObjectContent.Parts(upload.id(), count),
        upload.encryption());
  }

  NameDecision abort(NameCommand.AbortUpload command) {
    Uid upload = command.upload();
    if (view.upload(command.bucket(), command.key(), upload).isEmpty()) {
      return NameDecision.refused(new S3Fault.NoSuchUpload(upload.toString()));
    }
    var decision =
        new NameDecision().delete(RowKeys.upload(command.bucket(), command.key(), upload));
    References.releaseParts(decision, upload, command.nowMillis());
    return decision;
  }

  NameDecision release(NameCommand.ReleaseParts command) {
    var decision = new NameDecision();
    for (int number : command.numbers()) {
      view.part(command.upload(), number)
          .ifPresent(
              part -> References.release(decision, command.upload(), part, command.nowMillis()));
    }
    return command.last()
        ? decision.delete(RowKeys.trash(command.trashedMillis(), command.upload()))
        : decision;
  }

  NameDecision forget(NameCommand.ForgetCompleted command) {
    var decision = new NameDecision();
    for (NameCommand.Completion each : command.completions()) {
      decision.delete(RowKeys.completed(each.bucket(), each.key(), each.upload()));
    }
    return decision;
  }

  private ObjectDecider objects() {
    return new ObjectDecider(view);
  }
}
