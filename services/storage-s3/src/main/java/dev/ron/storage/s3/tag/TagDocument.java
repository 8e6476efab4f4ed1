package dev.ron.storage.s3.tag;

import dev.ron.http.Refusal;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.core.ObjectVersion.Pair;
import dev.ron.storage.s3.object.RequestTags;
import dev.ron.storage.s3.xml.XmlNode;
import dev.ron.storage.s3.xml.XmlReader;
import dev.ron.storage.s3.xml.XmlWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Tags as a document has them.
 *
 * <p>Threading: stateless.
 */
public final class TagDocument {
  private static final String ROOT = "Tagging";
  private static final int BUCKET_TAGS_MAX = 50;

  private TagDocument() {}

  /** The tags of a bucket, written anew. */
  public static byte[] ofBucket(byte[] document) throws Refusal {
    return write(read(document, BUCKET_TAGS_MAX));
  }

  /**
   * @param tagsMax how many there may be
   */
  public static List<Pair> read(byte[] document, int tagsMax) throws Refusal {
    return RequestTags.checked(read(document), tagsMax);
  }

  /** As they stand there. */
  public static List<Pair> read(byte[] document) throws Refusal {
    XmlNode root = XmlReader.read(document, ROOT);
    root.requireKnown(Set.of("TagSet"));
    XmlNode set =
        root.one("TagSet")
            .orElseThrow(() -> Refusal.of(new S3Fault.MalformedXML("Tagging has no TagSet")));
    set.requireKnown(Set.of("Tag"));
    var tags = new ArrayList<Pair>();
    for (XmlNode tag : set.all("Tag")) {
      tag.requireKnown(Set.of("Key", "Value"));
      tags.add(new Pair(raw(tag, "Key"), raw(tag, "Value")));
    }
    return tags;
  }

  private static String raw(XmlNode tag, String name) throws Refusal {
    return tag.rawText(name)
        .orElseThrow(() -> Refusal.of(new S3Fault.MalformedXML("a Tag has no " + name)));
  }

  static byte[] write(List<Pair> tags) {
    XmlWriter xml = XmlWriter.document(ROOT).begin("TagSet");
    for (Pair tag : tags) {
      xml.begin("Tag").text("Key", tag.name()).text("Value", tag.value()).end();
    }
    return xml.bytes();
  }
}
