package dev.ron.storage.s3.upload;

import dev.ron.checksum.ChecksumAlgorithm;
import dev.ron.http.Refusal;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.api.BodyDigest;
import dev.ron.storage.s3.core.EntityTag;
import dev.ron.storage.s3.core.UploadPart;
import dev.ron.storage.s3.xml.XmlNode;
import dev.ron.storage.s3.xml.XmlReader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The parts that a completion names, in ascending order.
 *
 * <p>Threading: immutable.
 */
record PartList(List<Named> parts) {
  private static final Pattern MD5 = Pattern.compile("[0-9a-f]{32}");

  /**
   * @param etag without quotes
   * @param checksums as the client says they are
   */
  record Named(int number, String etag, Map<ChecksumAlgorithm, String> checksums) {
    Named {
      checksums = Map.copyOf(checksums);
    }
  }

  PartList {
    parts = List.copyOf(parts);
  }

  /** The tag of the object that they make: the MD5 of theirs, with their number behind it. */
  EntityTag entityTag() throws Refusal {
    var digest = BodyDigest.of((ChecksumAlgorithm) null);
    for (Named part : parts) {
      if (!MD5.matcher(part.etag()).matches()) {
        throw Refusal.of(
            new S3Fault.InvalidPart("part " + part.number() + " has an ETag that is no part's"));
      }
      digest.update(ByteBuffer.wrap(HexFormat.of().parseHex(part.etag())));
    }
    digest.finish();
    return new EntityTag(digest.md5Hex(), parts.size());
  }

  static PartList read(byte[] document) throws Refusal {
    List<XmlNode> nodes = XmlReader.read(document, "CompleteMultipartUpload").all("Part");
    if (nodes.isEmpty() || nodes.size() > UploadPart.NUMBER_MAX) {
      throw malformed("an upload is completed with 1 to " + UploadPart.NUMBER_MAX + " parts");
    }
    var parts = new ArrayList<Named>(nodes.size());
    int before = 0;
    for (XmlNode node : nodes) {
      Named part = part(node);
      if (part.number() < before) {
        throw Refusal.of(new S3Fault.InvalidPartOrder());
      }
      if (part.number() == before) {
        // A client that sent a part again names both; the later one is the part.
        parts.removeLast();
      }
      before = part.number();
      parts.add(part);
    }
    return new PartList(parts);
  }

  private static Named part(XmlNode node) throws Refusal {
    String etag = node.text("ETag").orElseThrow(() -> malformed("a part without its ETag"));
    String number =
        node.text("PartNumber").orElseThrow(() -> malformed("a part without its number"));
    var checksums = new EnumMap<ChecksumAlgorithm, String>(ChecksumAlgorithm.class);
    for (ChecksumAlgorithm algorithm : ChecksumAlgorithm.values()) {
      node.text("Checksum" + algorithm).ifPresent(value -> checksums.put(algorithm, value));
    }
    return new Named(number(number), bare(etag), checksums);
  }

  private static int number(String text) throws Refusal {
    int number;
    try {
      number = Integer.parseInt(text);
    } catch (NumberFormatException _) {
      throw malformed("the number of a part is none");
    }
    if (number < 1 || number > UploadPart.NUMBER_MAX) {
      throw Refusal.of(
          new S3Fault.InvalidArgument("PartNumber must be between 1 and " + UploadPart.NUMBER_MAX));
    }
    return number;
  }

  private static String bare(String etag) {
    boolean quoted = etag.length() > 1 && etag.startsWith("\"") && etag.endsWith("\"");
    return quoted ? etag.substring(1, etag.length() - 1) : etag;
  }

  private static Refusal malformed(String why) {
    return Refusal.of(new S3Fault.MalformedXML(why));
  }
}
