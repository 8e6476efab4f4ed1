package dev.ron.storage.s3.form;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Body;
import dev.ron.sigv4.SignedRequest;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.api.BoundedBody;
import dev.ron.storage.s3.api.S3Action;
import dev.ron.storage.s3.api.S3Admission;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.api.S3Caller;
import dev.ron.storage.s3.api.S3Target;
import dev.ron.storage.s3.api.S3Verb;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.ObjectKey;
import dev.ron.storage.s3.core.ObjectVersion.Pair;
import dev.ron.storage.s3.core.WriteCondition;
import dev.ron.storage.s3.names.NameOutcome;
import dev.ron.storage.s3.object.ObjectDraft;
import dev.ron.storage.s3.object.PutObject;
import dev.ron.storage.s3.tag.TagDocument;
import dev.ron.storage.s3.xml.XmlWriter;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Stores an object that a browser sends as a form. Once the form's fields are read it is a put like
 * any other, by the caller that signed its policy.
 *
 * <p>Threading: stateless.
 */
public record PostObject() implements S3Verb<PostObject.Request, PostObject.Reply> {
  /** Fields that stand for a field of a put, as they are. */
  private static final Set<String> SAME =
      Set.of(
          "cache-control",
          "content-disposition",
          "content-encoding",
          "content-language",
          "content-md5",
          "content-type",
          "expires",
          "x-amz-storage-class",
          "x-amz-website-redirect-location");

  private static final Set<String> OWN =
      Set.of(
          "x-amz-algorithm",
          "x-amz-credential",
          "x-amz-date",
          "x-amz-security-token",
          "x-amz-signature");

  /** What is stored, and what of the form decides about the answer. */
  public record Request(S3Call call, PutObject.Request put, PostedForm form) {}

  /** What was stored. */
  public record Reply(Request request, NameOutcome.Stored stored) {}

  @Override
  public boolean isSignedInBody() {
    return true;
  }

  @Override
  public S3Call admit(S3Call call, S3Admission admission) throws IOException {
    if (!(call.caller() instanceof S3Caller.Anonymous)) {
      throw Refusal.of(
          new S3Fault.InvalidRequest("a form carries its own signature; the request has another"));
    }
    PostedForm form;
    Optional<FormSignature> signature;
    Instant now = call.context().time().wall();
    try {
      form = form(call);
      signature = FormSignature.of(form, now);
    } catch (Refusal refusal) {
      throw admission.unsigned(call.exchange(), refusal);
    }
    S3Caller caller =
        signature.isPresent()
            ? signature.get().caller(call.exchange(), admission)
            : admission.anonymous(call.exchange());
    String text = form.key();
    long min = 0;
    long max = call.context().config().sizes().objectBytes().bytes();
    if (caller instanceof S3Caller.Holder) {
      FormPolicy policy = FormPolicy.parse(form.field("policy").orElse(""));
      policy.require(form, call.target().bucket(), now);
      min = policy.bytesMin();
      max = Math.min(max, policy.bytesMax());
    }
    ObjectKey key =
        ObjectKey.of(text)
            .orElseThrow(
                () ->
                    Refusal.of(
                        new S3Fault.KeyTooLongError(
                            text.getBytes(UTF_8).length, ObjectKey.BYTES_MAX)));
    var file = new BoundedBody(form.file(), min, Math.min(max, caller.bytesMax()));
    return put(
        call,
        caller,
        key,
        fields(call, form),
        new PostedForm(form.fields(), form.filename(), file));
  }

  private static PostedForm form(S3Call call) throws IOException {
    String boundary =
        call.field("Content-Type")
            .flatMap(FormParts::boundary)
            .orElseThrow(
                () ->
                    Refusal.of(
                        new S3Fault.PreconditionFailed(
                            "Bucket POST must be of the enclosure-type multipart/form-data")));
    return PostedForm.read(call.body(), boundary);
  }

  private static S3Call put(
      S3Call call, S3Caller caller, ObjectKey key, Headers fields, PostedForm form) {
    var headers = new ArrayList<SignedRequest.Header>();
    fields.forEach((name, value) -> headers.add(new SignedRequest.Header(name, value)));
    SignedRequest sent = call.request();
    return new S3Call(
        call.context(),
        call.view(),
        call.exchange(),
        new SignedRequest(sent.method(), sent.rawPath(), sent.rawQuery(), headers),
        call.verification(),
        caller,
        new S3Target(call.target().bucket(), key),
        call.query(),
        fields,
        form);
  }

  /** The fields that a put of the same object would have. */
  private static Headers fields(S3Call call, PostedForm form) throws Refusal {
    var fields = new Headers();
    for (String name : Set.of("Referer", "User-Agent")) {
      call.field(name).ifPresent(value -> fields.add(name, value));
    }
    for (Map.Entry<String, String> each : form.fields().entrySet()) {
      String name = each.getKey();
      String put = putName(name);
      if (!put.isEmpty()) {
        try {
          fields.add(
              put, name.equals("tagging") ? tagging(each.getValue()) : wire(each.getValue()));
        } catch (IllegalArgumentException _) {
          throw Refusal.of(
              new S3Fault.InvalidArgument("the field " + name + " has a control character"));
        }
      }
    }
    return fields;
  }

  /** Empty for what only the form itself needs. */
  private static String putName(String name) throws Refusal {
    if (name.equals("acl")) {
      return "x-amz-acl";
    }
    if (name.equals("tagging")) {
      return "x-amz-tagging";
    }
    if (SAME.contains(name)
        || name.startsWith("x-amz-meta-")
        || name.startsWith("x-amz-checksum-")
        || name.startsWith("x-amz-object-lock-")
        || name.startsWith("x-amz-server-side-encryption")) {
      return name;
    }
    if (name.startsWith("x-amz-") && !OWN.contains(name)) {
      throw Refusal.of(new S3Fault.InvalidArgument("a form has no field " + name));
    }
    return "";
  }

  /** As a field has it: each character is one byte of the wire. */
  private static String wire(String text) {
    return new String(text.getBytes(UTF_8), ISO_8859_1);
  }

  /** A form has its tags as a document, a put has them as a query. */
  private static String tagging(String document) throws Refusal {
    var pieces = new ArrayList<String>();
    for (Pair tag : TagDocument.read(document.getBytes(UTF_8))) {
      pieces.add(escaped(tag.name()) + "=" + escaped(tag.value()));
    }
    return String.join("&", pieces);
  }

  @Override
  public S3Action action(S3Call call) {
    return S3Action.PUT;
  }

  @Override
  public Request parse(S3Call call) throws Refusal {
    if (!(call.form() instanceof PostedForm form)) {
      throw new IllegalStateException("a form that was not admitted");
    }
    Bucket bucket = call.bucket();
    return new Request(
        call,
        new PutObject.Request(call, bucket, -1, ObjectDraft.of(call, bucket), WriteCondition.NONE),
        form);
  }

  @Override
  public Reply handle(Request request) throws IOException, InterruptedException {
    return new Reply(request, PutObject.store(request.put(), request.form().file()));
  }

  @Override
  public Answer write(Reply reply) throws Refusal {
    S3Call call = reply.request().call();
    PostedForm form = reply.request().form();
    String bucket = call.target().bucket();
    String etag = reply.stored().version().etag().quoted();
    String location = "/" + bucket + "/" + escaped(call.key().toString()).replace("%2F", "/");
    var headers = new Headers(4).add("ETag", etag);
    if (reply.stored().versioned()) {
      headers.add("x-amz-version-id", reply.stored().version().versionId());
    }
    Optional<String> redirect = form.field("success_action_redirect").flatMap(PostObject::page);
    if (redirect.isPresent()) {
      String query =
          "bucket=%s&key=%s&etag=%s"
              .formatted(escaped(bucket), escaped(call.key().toString()), escaped(etag));
      String mark = redirect.get().contains("?") ? "&" : "?";
      return new Answer(
          303, headers.add("Location", redirect.get() + mark + query), Body.Bytes.NONE);
    }
    headers.add("Location", location);
    Answer answer =
        switch (form.field("success_action_status").orElse("")) {
          case "200" -> new Answer(200, headers, Body.Bytes.NONE);
          case "201" -> {
            byte[] document =
                XmlWriter.plain("PostResponse")
                    .text("Location", location)
                    .text("Bucket", bucket)
                    .text("Key", call.key().toString())
                    .text("ETag", etag)
                    .bytes();
            yield new Answer(
                201, headers.add("Content-Type", "application/xml"), new Body.Bytes(document));
          }
          default -> new Answer(204, headers, Body.Bytes.NONE);
        };
    return PutObject.expiring(
        call,
        reply.request().put().bucket(),
        reply.stored(),
        PutObject.encrypted(call, reply.stored(), answer));
  }

  /** A page to go on to; what is none is ignored, as the form's sender sees by the answer. */
  private static Optional<String> page(String text) {
    try {
      URI page = new URI(text);
      boolean web =
          "http".equalsIgnoreCase(page.getScheme()) || "https".equalsIgnoreCase(page.getScheme());
      return web && page.getFragment() == null
          ? Optional.of(page.toASCIIString())
          : Optional.empty();
    } catch (URISyntaxException _) {
      return Optional.empty();
    }
  }

  private static String escaped(String text) {
    return URLEncoder.encode(text, UTF_8).replace("+", "%20");
  }
}
