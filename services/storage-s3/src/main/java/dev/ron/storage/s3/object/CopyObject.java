package dev.ron.storage.s3.object;

import dev.ron.checksum.ChecksumAlgorithm;
import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Body;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.api.BodyDigest;
import dev.ron.storage.s3.api.S3Action;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.api.S3Resource;
import dev.ron.storage.s3.api.S3Rights;
import dev.ron.storage.s3.api.S3Verb;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.BucketName;
import dev.ron.storage.s3.core.EntityTag;
import dev.ron.storage.s3.core.ObjectAddress;
import dev.ron.storage.s3.core.ObjectEncryption;
import dev.ron.storage.s3.core.ObjectVersion;
import dev.ron.storage.s3.core.ObjectVersion.Pair;
import dev.ron.storage.s3.core.StoredChecksum;
import dev.ron.storage.s3.core.VersionRef;
import dev.ron.storage.s3.core.WriteCondition;
import dev.ron.storage.s3.encryption.ContentKey;
import dev.ron.storage.s3.encryption.EncryptionChoice;
import dev.ron.storage.s3.encryption.ObjectKeys;
import dev.ron.storage.s3.names.NameCommand;
import dev.ron.storage.s3.names.NameOutcome;
import dev.ron.storage.s3.xml.XmlTime;
import dev.ron.storage.s3.xml.XmlWriter;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Gives bytes that are stored a second name. They stay where they are; an object in parts becomes
 * one in one piece, over the blocks of all of them, and keeps its entity tag.
 *
 * <p>Threading: stateless.
 */
public record CopyObject() implements S3Verb<CopyObject.Request, CopyObject.Reply> {
  /**
   * @param draft as the request's own fields say
   * @param replacesFields whether those are taken, and not the source's
   * @param replacesTags the same for tags
   * @param algorithm the checksum that the copy must have, null to keep the source's
   */
  public record Request(
      S3Call call,
      Bucket bucket,
      CopySource source,
      ObjectDraft draft,
      boolean replacesFields,
      boolean replacesTags,
      @Nullable ChecksumAlgorithm algorithm,
      WriteCondition condition) {}

  /** The copy, and what it was made of. */
  public record Reply(S3Call call, NameOutcome.Stored stored, FoundVersion source) {}

  @Override
  public S3Action action(S3Call call) {
    return S3Action.PUT;
  }

  @Override
  public Request parse(S3Call call) throws Refusal {
    Bucket bucket = call.bucket();
    CopySource source = CopySource.of(call);
    boolean replacesFields = replaces(call, "x-amz-metadata-directive");
    boolean changes = replacesFields || ObjectFields.changesCopy(call);
    if (!changes
        && source.version() instanceof VersionRef.Current
        && source.bucket().equals(bucket.name().text())
        && source.key().equals(call.key())) {
      throw Refusal.of(
          new S3Fault.InvalidRequest(
              "This copy request is illegal because it is trying to copy an object to itself"
                  + " without changing the object's metadata, storage class, website redirect"
                  + " location or encryption attributes."));
    }
    WriteCondition condition = RequestConditions.ofWrite(call);
    RequestConditions.requireNow(call, bucket, condition);
    return new Request(
        call,
        bucket,
        source,
        ObjectDraft.of(call, bucket),
        replacesFields,
        replaces(call, "x-amz-tagging-directive"),
        BodyDigest.announced(call).orElse(null),
        condition);
  }

  private static boolean replaces(S3Call call, String field) throws Refusal {
    return switch (call.field(field).orElse("COPY")) {
      case "COPY" -> false;
      case "REPLACE" -> true;
      default -> throw Refusal.of(new S3Fault.InvalidArgument(field + " is COPY or REPLACE"));
    };
  }

  @Override
  public Reply handle(Request request) throws IOException, InterruptedException {
    S3Call call = request.call();
    EncryptionChoice choice = request.draft().encryption();
    ObjectKeys.NewKey fresh = call.context().keys().make(choice);
    SharedBody shared =
        SharedBody.take(
            call,
            request.source(),
            SourceRange::whole,
            new CopyKey(fresh.key(), choice.kind()),
            request.algorithm());
    NameCommand.PutObject command;
    boolean ready = false;
    try {
      command =
          new NameCommand.PutObject(
              request.bucket().id(),
              request.bucket().name(),
              call.key(),
              version(request, shared, fresh),
              request.condition());
      ready = true;
    } finally {
      if (!ready) {
        shared.body().unpin();
      }
    }
    return new Reply(
        call, (NameOutcome.Stored) NamedBody.give(call, shared.body(), command), shared.source());
  }

  private static ObjectVersion version(Request request, SharedBody shared, ObjectKeys.NewKey fresh)
      throws IOException, InterruptedException {
    S3Call call = request.call();
    ObjectVersion source = shared.source().version();
    ObjectDraft own = request.draft();
    List<Pair> fields = request.replacesFields() ? own.fields() : ObjectFields.copied(call, source);
    var draft =
        new ObjectDraft(
            own.owner(),
            shared.isNew() ? fields : ObjectAddress.shared(fields, source),
            request.replacesTags() ? own.tags() : tags(request, source),
            own.acl(),
            own.retention(),
            own.legalHold(),
            own.encryption());
    return draft.version(
        call.context().secrets().nextLong(),
        call.context().nowMillis(),
        source.sizeBytes(),
        tag(request, shared),
        checksum(request, shared),
        shared.body().content(),
        encryption(request, shared, fresh));
  }

  /** Of bytes that stayed it is the source's; of others their own. */
  private static EntityTag tag(Request request, SharedBody shared) {
    return shared.isNew()
        ? new EntityTag(
            RequestEncryption.tag(
                shared.known().requireMd5(), shared.key(), request.draft().encryption().kind()),
            0)
        : shared.source().version().etag();
  }

  /** Shared bytes have the key that they were stored with, kept as the copy asks for. */
  private static @Nullable ObjectEncryption encryption(
      Request request, SharedBody shared, ObjectKeys.NewKey fresh) throws Refusal {
    ContentKey key = shared.key();
    return shared.isNew() || key == null
        ? fresh.encryption()
        : request.call().context().keys().kept(key, request.draft().encryption());
  }

  /** Tags are more than bytes: to copy them takes the right to read them. */
  private static List<Pair> tags(Request request, ObjectVersion source) throws Refusal {
    if (source.tags().isEmpty()) {
      return source.tags();
    }
    Optional<Bucket> from =
        BucketName.of(request.source().bucket())
            .flatMap(name -> request.call().view().bucket(name));
    if (from.isEmpty()
        || !S3Rights.may(
            request.call(),
            S3Action.GET_OBJECT_TAGS,
            new S3Resource(from.get(), request.source().key(), request.source().version()))) {
      throw Refusal.of(new S3Fault.AccessDenied("the tags of the copy's source are not yours"));
    }
    return source.tags();
  }

  private static @Nullable StoredChecksum checksum(Request request, SharedBody shared)
      throws IOException, InterruptedException {
    return request.algorithm() == null
        ? shared.source().version().checksum()
        : PutObject.stored(shared.sums(request.call(), request.algorithm()).checksum());
  }

  @Override
  public Answer write(Reply reply) {
    ObjectVersion version = reply.stored().version();
    XmlWriter xml =
        XmlWriter.document("CopyObjectResult")
            .text("LastModified", XmlTime.of(version.modifiedMillis()))
            .text("ETag", version.etag().quoted());
    if (version.checksum() != null) {
      ObjectFields.write(xml, version.checksum());
    }
    Headers headers = Headers.of("Content-Type", "application/xml");
    if (reply.stored().versioned()) {
      headers.add("x-amz-version-id", version.versionId());
    }
    CopySource.addVersion(headers, reply.source());
    RequestEncryption.add(headers, reply.call(), version.encryption());
    return new Answer(200, headers, new Body.Bytes(xml.bytes()));
  }
}
