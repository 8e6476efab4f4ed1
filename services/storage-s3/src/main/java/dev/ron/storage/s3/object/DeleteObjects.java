package dev.ron.storage.s3.object;

import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.api.S3Action;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.api.S3Resource;
import dev.ron.storage.s3.api.S3Rights;
import dev.ron.storage.s3.api.S3Verb;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.ObjectKey;
import dev.ron.storage.s3.core.VersionRef;
import dev.ron.storage.s3.core.WriteCondition;
import dev.ron.storage.s3.names.NameCommand;
import dev.ron.storage.s3.names.NameOutcome;
import dev.ron.storage.s3.names.Names;
import dev.ron.storage.s3.xml.XmlNode;
import dev.ron.storage.s3.xml.XmlReader;
import dev.ron.storage.s3.xml.XmlWriter;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Deletes up to a thousand objects of a bucket, each with an outcome of its own.
 *
 * <p>Threading: immutable.
 */
public record DeleteObjects(Names names)
    implements S3Verb<DeleteObjects.Request, DeleteObjects.Reply> {
  private static final int KEYS_MAX = 1000;

  /** A version or a condition that is not read would delete something else. */
  private static final Set<String> OBJECT_MEMBERS =
      Set.of("Key", "VersionId", "ETag", "LastModifiedTime", "Size");

  /** All keys, and those that are refused before anything is done. */
  public record Request(List<Item> items, boolean quiet) {}

  /**
   * @param command null if the fault is known already
   */
  record Item(
      String key,
      String version,
      NameCommand.@Nullable DeleteObject command,
      @Nullable S3Fault fault) {}

  /** What became of each. */
  public record Reply(Request request, List<NameOutcome> outcomes) {}

  @Override
  public S3Action action(S3Call call) {
    return S3Action.DELETE_EACH;
  }

  @Override
  public Request parse(S3Call call) throws IOException {
    XmlNode root = XmlReader.read(call.document(), "Delete");
    root.requireKnown(Set.of("Object", "Quiet"));
    List<XmlNode> objects = root.all("Object");
    if (objects.isEmpty() || objects.size() > KEYS_MAX) {
      throw Refusal.of(new S3Fault.MalformedXML("a delete names 1 to " + KEYS_MAX + " objects"));
    }
    Bucket bucket = call.bucket();
    var items = new ArrayList<Item>(objects.size());
    for (XmlNode object : objects) {
      items.add(item(call, bucket, object));
    }
    return new Request(items, root.text("Quiet").orElse("").equals("true"));
  }

  private static Item item(S3Call call, Bucket bucket, XmlNode object) throws Refusal {
    object.requireKnown(OBJECT_MEMBERS);
    String key =
        object
            .rawText("Key")
            .orElseThrow(() -> Refusal.of(new S3Fault.MalformedXML("an Object without a Key")));
    String version = object.text("VersionId").orElse("");
    Optional<ObjectKey> parsed = ObjectKey.of(key);
    Optional<VersionRef> ref =
        version.isEmpty() ? Optional.of(new VersionRef.Current()) : VersionRef.parse(version);
    if (parsed.isEmpty()) {
      return new Item(key, version, null, new S3Fault.InvalidArgument("a key that is none"));
    }
    if (ref.isEmpty()) {
      return new Item(key, version, null, new S3Fault.NoSuchVersion(version));
    }
    S3Action action = version.isEmpty() ? S3Action.DELETE : S3Action.DELETE_VERSION;
    var resource = new S3Resource(bucket, parsed.get(), ref.get());
    WriteCondition condition = condition(object);
    if (!S3Rights.may(call, action, resource)
        || (condition.tells() && !S3Rights.may(call, S3Action.GET, resource))) {
      return new Item(key, version, null, new S3Fault.AccessDenied("Access Denied"));
    }
    return new Item(
        key,
        version,
        DeleteObject.command(
            call,
            bucket,
            parsed.get(),
            ref.get(),
            condition,
            DeleteObject.bypasses(call, resource)),
        null);
  }

  private static WriteCondition condition(XmlNode object) throws Refusal {
    try {
      return WriteCondition.ofDelete(
          object.text("ETag").orElse(null),
          object.text("Size").orElse(null),
          object.text("LastModifiedTime").map(DeleteObjects::time).orElse(null));
    } catch (IllegalArgumentException _) {
      throw Refusal.of(new S3Fault.MalformedXML("a condition that cannot be read"));
    }
  }

  private static Instant time(String date) {
    return RequestConditions.date(date).orElseThrow(() -> new IllegalArgumentException(date));
  }

  @Override
  public Reply handle(Request request) throws Refusal, InterruptedException {
    var commands = new ArrayList<NameCommand>();
    for (Item item : request.items()) {
      if (item.command() != null) {
        commands.add(item.command());
      }
    }
    return new Reply(request, names.changeAll(commands));
  }

  @Override
  public Answer write(Reply reply) {
    XmlWriter xml = XmlWriter.document("DeleteResult");
    int next = 0;
    for (Item item : reply.request().items()) {
      NameOutcome outcome =
          item.fault() == null
              ? reply.outcomes().get(next++)
              : new NameOutcome.Refused(item.fault());
      write(xml, item, outcome, reply.request().quiet());
    }
    return Answer.bytes(200, "application/xml", xml.bytes());
  }

  private static void write(XmlWriter xml, Item item, NameOutcome outcome, boolean quiet) {
    if (outcome instanceof NameOutcome.Refused(S3Fault fault)) {
      xml.begin("Error").text("Key", item.key());
      if (!item.version().isEmpty()) {
        xml.text("VersionId", item.version());
      }
      xml.text("Code", fault.s3Code()).text("Message", fault.detail()).end();
    } else if (!quiet && outcome instanceof NameOutcome.Deleted(String version, boolean marker)) {
      xml.begin("Deleted").text("Key", item.key());
      if (!item.version().isEmpty()) {
        xml.text("VersionId", item.version());
      }
      if (marker) {
        xml.flag("DeleteMarker", true).text("DeleteMarkerVersionId", version);
      }
      xml.end();
    }
  }
}
