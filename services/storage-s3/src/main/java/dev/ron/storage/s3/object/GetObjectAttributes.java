package dev.ron.storage.s3.object;

import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Body;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.api.S3Action;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.api.S3Verb;
import dev.ron.storage.s3.core.ObjectContent;
import dev.ron.storage.s3.core.ObjectVersion;
import dev.ron.storage.s3.core.StoredChecksum;
import dev.ron.storage.s3.core.Uid;
import dev.ron.storage.s3.core.UploadPart;
import dev.ron.storage.s3.xml.XmlWriter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Says what is known of an object and of its parts.
 *
 * <p>Threading: stateless.
 */
public record GetObjectAttributes()
    implements S3Verb<GetObjectAttributes.Request, GetObjectAttributes.Reply> {
  private static final int PARTS_MAX = 1000;

  /** What can be asked for, by the names of the field. */
  enum Attribute {
    ETAG("ETag"),
    CHECKSUM("Checksum"),
    OBJECT_PARTS("ObjectParts"),
    STORAGE_CLASS("StorageClass"),
    OBJECT_SIZE("ObjectSize");

    private final String text;

    Attribute(String text) {
      this.text = text;
    }

    static Set<Attribute> parse(List<String> fields) throws Refusal {
      Set<Attribute> found = EnumSet.noneOf(Attribute.class);
      for (String field : fields) {
        for (String piece : field.split(",", -1)) {
          found.add(one(piece.strip()));
        }
      }
      if (found.isEmpty()) {
        throw Refusal.of(new S3Fault.InvalidArgument("x-amz-object-attributes names none"));
      }
      return found;
    }

    private static Attribute one(String text) throws Refusal {
      for (Attribute each : values()) {
        if (each.text.equals(text)) {
          return each;
        }
      }
      throw Refusal.of(new S3Fault.InvalidArgument("Invalid attribute name specified: " + text));
    }
  }

  /**
   * @param after the part that the page begins behind
   */
  public record Request(
      S3Call call, FoundVersion found, Set<Attribute> asked, int after, int max) {}

  /**
   * @param parts a page of them
   */
  public record Reply(Request request, List<PlacedPart> parts, boolean truncated) {}

  @Override
  public S3Action action(S3Call call) {
    return call.query().has("versionId")
        ? S3Action.GET_VERSION_ATTRIBUTES
        : S3Action.GET_ATTRIBUTES;
  }

  @Override
  public Request parse(S3Call call) throws Refusal {
    FoundVersion found = FoundVersion.of(call, call.bucket());
    RequestEncryption.openRead(call, found.version().encryption());
    return new Request(
        call,
        found,
        Attribute.parse(call.exchange().headers().all("x-amz-object-attributes")),
        number(call, "x-amz-part-number-marker", 0, UploadPart.NUMBER_MAX),
        number(call, "x-amz-max-parts", PARTS_MAX, PARTS_MAX));
  }

  private static int number(S3Call call, String field, int usual, int max) throws Refusal {
    String text = call.header(field);
    if (text == null) {
      return usual;
    }
    try {
      int number = Integer.parseInt(text.strip());
      if (number >= 0) {
        return Math.min(number, max);
      }
    } catch (NumberFormatException _) {
      // said below
    }
    throw Refusal.of(new S3Fault.InvalidArgument(field + " = " + text + " is no such number"));
  }

  @Override
  public Reply handle(Request request) {
    var parts = new ArrayList<PlacedPart>();
    if (!request.asked().contains(Attribute.OBJECT_PARTS)
        || !(request.found().version().content()
            instanceof ObjectContent.Parts(Uid upload, int count))) {
      return new Reply(request, parts, false);
    }
    var walk = new PlacedPart.Walk();
    request
        .call()
        .context()
        .names()
        .view()
        .parts(
            upload,
            part -> {
              PlacedPart placed = walk.step(part.withoutContent());
              if (placed.number() > request.after() && parts.size() < request.max()) {
                parts.add(placed);
              }
              return parts.size() < request.max();
            });
    return new Reply(request, parts, !parts.isEmpty() && parts.getLast().number() < count);
  }

  @Override
  public Answer write(Reply reply) {
    Request request = reply.request();
    ObjectVersion version = request.found().version();
    XmlWriter xml = XmlWriter.document("GetObjectAttributesResponse");
    for (Attribute attribute : request.asked()) {
      switch (attribute) {
        case ETAG -> xml.text("ETag", version.etag().toString());
        case CHECKSUM -> {
          if (version.checksum() != null) {
            xml.begin("Checksum");
            ObjectFields.write(xml, version.checksum());
            xml.end();
          }
        }
        case OBJECT_PARTS -> {
          if (version.content() instanceof ObjectContent.Parts(_, int count)) {
            parts(xml, reply, count);
          }
        }
        case STORAGE_CLASS -> xml.text("StorageClass", "STANDARD");
        case OBJECT_SIZE -> xml.number("ObjectSize", version.sizeBytes());
      }
    }
    var headers =
        Headers.of(
            "Content-Type",
            "application/xml",
            "Last-Modified",
            ObjectFields.date(version.modifiedMillis()));
    if (request.found().versioned()) {
      headers.add("x-amz-version-id", version.versionId());
    }
    return new Answer(200, headers, new Body.Bytes(xml.bytes()));
  }

  private static void parts(XmlWriter xml, Reply reply, int count) {
    Request request = reply.request();
    xml.begin("ObjectParts")
        .number("PartsCount", count)
        .number("PartNumberMarker", request.after());
    if (!reply.parts().isEmpty()) {
      xml.number("NextPartNumberMarker", reply.parts().getLast().number());
    }
    xml.number("MaxParts", request.max()).flag("IsTruncated", reply.truncated());
    for (PlacedPart placed : reply.parts()) {
      xml.begin("Part")
          .number("PartNumber", placed.number())
          .number("Size", placed.part().sizeBytes());
      StoredChecksum checksum = placed.checksum(request.found().version());
      if (checksum != null) {
        xml.text("Checksum" + checksum.algorithm(), checksum.value());
      }
      xml.end();
    }
    xml.end();
  }
}
