package dev.ron.storage.s3.encryption;

import dev.ron.http.Refusal;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.xml.XmlNode;
import dev.ron.storage.s3.xml.XmlReader;
import java.util.List;

/**
 * The rule of a bucket whose objects are encrypted though their clients do not ask for it.
 *
 * <p>Threading: stateless.
 */
public final class BucketEncryption {
  private static final String ROOT = "ServerSideEncryptionConfiguration";

  private BucketEncryption() {}

  /** The document as it is, if it asks for what there is: there is one rule, so that is all. */
  public static byte[] checked(byte[] document) throws Refusal {
    List<XmlNode> rules = XmlReader.read(document, ROOT).all("Rule");
    if (rules.size() != 1) {
      throw Refusal.of(new S3Fault.MalformedXML(ROOT + " has one Rule"));
    }
    List<XmlNode> defaults = rules.getFirst().all("ApplyServerSideEncryptionByDefault");
    String algorithm =
        defaults.size() == 1 ? defaults.getFirst().text("SSEAlgorithm").orElse("") : "";
    if (algorithm.startsWith("aws:kms")) {
      throw Refusal.of(new S3Fault.NotImplemented("encryption with keys of a key service"));
    }
    if (!algorithm.equals(ClientKey.AES256)) {
      throw Refusal.of(new S3Fault.MalformedXML("SSEAlgorithm must be AES256"));
    }
    return document;
  }
}
