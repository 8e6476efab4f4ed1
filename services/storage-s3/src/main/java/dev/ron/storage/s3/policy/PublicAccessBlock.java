package dev.ron.storage.s3.policy;

import dev.ron.http.Refusal;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.core.Acl;
import dev.ron.storage.s3.core.AclGrant;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.BucketSetting;
import dev.ron.storage.s3.names.NameView;
import dev.ron.storage.s3.xml.XmlNode;
import dev.ron.storage.s3.xml.XmlReader;
import dev.ron.storage.s3.xml.XmlWriter;

/**
 * What keeps a bucket from being open to all, whatever its lists and its policy say.
 *
 * <p>Threading: immutable.
 *
 * @param blockPublicAcls refuses to set an access control list that is public
 * @param ignorePublicAcls takes those that are set for private
 * @param blockPublicPolicy refuses to set a policy that is public
 * @param restrictPublicBuckets lets only the owner in while the policy is public
 */
public record PublicAccessBlock(
    boolean blockPublicAcls,
    boolean ignorePublicAcls,
    boolean blockPublicPolicy,
    boolean restrictPublicBuckets) {
  static final PublicAccessBlock NONE = new PublicAccessBlock(false, false, false, false);
  private static final String ROOT = "PublicAccessBlockConfiguration";

  /** The flags of a document, written anew. */
  public static byte[] checked(byte[] document) throws Refusal {
    return read(document).document();
  }

  static PublicAccessBlock read(byte[] document) throws Refusal {
    XmlNode root = XmlReader.read(document, ROOT);
    for (XmlNode child : root.children()) {
      switch (child.name()) {
        case "BlockPublicAcls",
            "IgnorePublicAcls",
            "BlockPublicPolicy",
            "RestrictPublicBuckets" -> {}
        default ->
            throw Refusal.of(new S3Fault.MalformedXML(child.name() + " is not known in a " + ROOT));
      }
    }
    return new PublicAccessBlock(
        flag(root, "BlockPublicAcls"),
        flag(root, "IgnorePublicAcls"),
        flag(root, "BlockPublicPolicy"),
        flag(root, "RestrictPublicBuckets"));
  }

  private static boolean flag(XmlNode root, String name) throws Refusal {
    return switch (root.text(name).orElse("false")) {
      case "true", "TRUE" -> true;
      case "false", "FALSE" -> false;
      default -> throw Refusal.of(new S3Fault.MalformedXML(name + " is true or false"));
    };
  }

  /** That of a bucket; none of its flags is set where it has none. */
  static PublicAccessBlock of(NameView view, Bucket bucket) throws Refusal {
    return view.setting(bucket.id(), BucketSetting.PUBLIC_ACCESS_BLOCK, PublicAccessBlock::read)
        .orElse(NONE);
  }

  /** Refuses a list that the bucket's block does not let be set, on the bucket or an object. */
  public static void requireSettable(NameView view, Bucket bucket, Acl acl) throws Refusal {
    if (acl.isPublic() && of(view, bucket).blockPublicAcls()) {
      throw Refusal.of(
          new S3Fault.AccessDenied("the bucket's public access block refuses public lists"));
    }
  }

  /** What counts of a list: without its grants to all, where those are ignored. */
  public Acl counted(Acl acl) {
    return ignorePublicAcls
        ? new Acl(
            acl.grants().stream()
                .filter(grant -> grant.grantee() == AclGrant.Grantee.TENANT)
                .toList())
        : acl;
  }

  private byte[] document() {
    return XmlWriter.document(ROOT)
        .flag("BlockPublicAcls", blockPublicAcls)
        .flag("IgnorePublicAcls", ignorePublicAcls)
        .flag("BlockPublicPolicy", blockPublicPolicy)
        .flag("RestrictPublicBuckets", restrictPublicBuckets)
        .bytes();
  }
}
