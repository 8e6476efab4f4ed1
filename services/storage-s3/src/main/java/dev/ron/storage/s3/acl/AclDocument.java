package dev.ron.storage.s3.acl;

import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.core.Acl;
import dev.ron.storage.s3.core.AclGrant;
import dev.ron.storage.s3.core.AclGrant.Grantee;
import dev.ron.storage.s3.core.AclGrant.Permission;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.object.RequestAcl;
import dev.ron.storage.s3.policy.PublicAccessBlock;
import dev.ron.storage.s3.xml.XmlNode;
import dev.ron.storage.s3.xml.XmlReader;
import dev.ron.storage.s3.xml.XmlWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * An access control list as a document has it.
 *
 * <p>Threading: stateless.
 */
final class AclDocument {
  private static final String ROOT = "AccessControlPolicy";
  private static final String SCHEMA = "http://www.w3.org/2001/XMLSchema-instance";
  private static final int GRANTS_MAX = 100;

  private AclDocument() {}

  /**
   * The list that a request sets: by its document or by its fields, not by both.
   *
   * @param owner of the thing it is set on; the document must name no other
   */
  static Acl asked(S3Call call, Bucket bucket, String owner) throws IOException {
    Acl acl = said(call, bucket, owner);
    PublicAccessBlock.requireSettable(call.view(), bucket, acl);
    return acl;
  }

  private static Acl said(S3Call call, Bucket bucket, String owner) throws IOException {
    byte[] document = call.document();
    if (RequestAcl.isGiven(call)) {
      if (document.length > 0) {
        throw Refusal.of(
            new S3Fault.InvalidRequest("the list comes in fields or in a document, not in both"));
      }
      return RequestAcl.of(call, owner, bucket.owner());
    }
    if (document.length == 0) {
      throw Refusal.of(new S3Fault.MissingSecurityHeader("x-amz-acl, a grant or a document"));
    }
    return read(document, owner);
  }

  static Acl read(byte[] document, String owner) throws Refusal {
    XmlNode root = XmlReader.read(document, ROOT);
    XmlNode named = root.one("Owner").orElseThrow(() -> malformed("the document names no Owner"));
    if (!text(named, "ID").equals(owner)) {
      throw Refusal.of(new S3Fault.AccessDenied("a list does not change the owner"));
    }
    XmlNode list =
        root.one("AccessControlList")
            .orElseThrow(() -> malformed("the document has no AccessControlList"));
    list.requireKnown(Set.of("Grant"));
    List<XmlNode> nodes = list.all("Grant");
    if (nodes.size() > GRANTS_MAX) {
      throw malformed("a list has up to " + GRANTS_MAX + " grants");
    }
    var grants = new ArrayList<AclGrant>();
    for (XmlNode node : nodes) {
      grants.add(grant(node));
    }
    return new Acl(grants);
  }

  private static AclGrant grant(XmlNode node) throws Refusal {
    node.requireKnown(Set.of("Grantee", "Permission"));
    XmlNode grantee = node.one("Grantee").orElseThrow(() -> malformed("a Grant has no Grantee"));
    Permission permission = permission(node.text("Permission").orElse(""));
    String type = grantee.attribute("type").orElse("");
    return switch (type) {
      case "CanonicalUser" -> RequestAcl.tenant(text(grantee, "ID"), permission);
      case "Group" -> new AclGrant(RequestAcl.group(text(grantee, "URI")), "", permission);
      case "AmazonCustomerByEmail" ->
          throw Refusal.of(
              new S3Fault.UnresolvableGrantByEmailAddress(text(grantee, "EmailAddress")));
      default -> throw malformed("a Grantee of type " + type);
    };
  }

  private static Permission permission(String text) throws Refusal {
    for (Permission each : Permission.values()) {
      if (each.name().equals(text)) {
        return each;
      }
    }
    throw malformed("a Permission that is none");
  }

  private static String text(XmlNode node, String name) throws Refusal {
    return node.text(name)
        .orElseThrow(() -> malformed("a %s has no %s".formatted(node.name(), name)));
  }

  private static Refusal malformed(String why) {
    return Refusal.of(new S3Fault.MalformedACLError(why));
  }

  /** Groups come before tenants, which clients are used to. */
  static Answer answer(String owner, Acl acl) {
    XmlWriter xml = XmlWriter.document(ROOT);
    xml.begin("Owner").text("ID", owner).text("DisplayName", owner).end();
    xml.begin("AccessControlList");
    for (AclGrant grant : acl.grants()) {
      if (grant.grantee() != Grantee.TENANT) {
        write(xml, grant, "Group");
      }
    }
    for (AclGrant grant : acl.grants()) {
      if (grant.grantee() == Grantee.TENANT) {
        write(xml, grant, "CanonicalUser");
      }
    }
    return Answer.bytes(200, "application/xml", xml.bytes());
  }

  private static void write(XmlWriter xml, AclGrant grant, String type) {
    xml.begin("Grant");
    xml.begin("Grantee", "xmlns:xsi=\"" + SCHEMA + "\" xsi:type=\"" + type + "\"");
    if (grant.grantee() == Grantee.TENANT) {
      xml.text("ID", grant.id()).text("DisplayName", grant.id());
    } else {
      xml.text("URI", RequestAcl.uri(grant.grantee()));
    }
    xml.end().text("Permission", grant.permission().name()).end();
  }
}
