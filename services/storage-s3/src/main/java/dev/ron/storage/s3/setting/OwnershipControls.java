package dev.ron.storage.s3.setting;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.http.Refusal;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.core.ObjectOwnership;
import dev.ron.storage.s3.xml.XmlNode;
import dev.ron.storage.s3.xml.XmlReader;
import dev.ron.storage.s3.xml.XmlWriter;
import java.util.List;

/**
 * Whose the objects of a bucket are that others store in it, as a document says it. What is kept is
 * the one word in it.
 *
 * <p>Threading: stateless.
 */
public final class OwnershipControls {
  private static final String ROOT = "OwnershipControls";
  private static final String MEMBER = "ObjectOwnership";

  private OwnershipControls() {}

  /** The word, checked. */
  public static byte[] kept(byte[] document) throws Refusal {
    List<XmlNode> rules = XmlReader.read(document, ROOT).all("Rule");
    if (rules.size() != 1) {
      throw Refusal.of(new S3Fault.MalformedXML(ROOT + " has one Rule"));
    }
    return ObjectOwnership.of(rules.getFirst().text(MEMBER).orElse(""))
        .orElseThrow(() -> Refusal.of(new S3Fault.MalformedXML("an " + MEMBER + " that is none")))
        .toString()
        .getBytes(UTF_8);
  }

  static byte[] document(byte[] kept) {
    XmlWriter xml = XmlWriter.document(ROOT);
    return xml.begin("Rule").text(MEMBER, new String(kept, UTF_8)).end().bytes();
  }
}
