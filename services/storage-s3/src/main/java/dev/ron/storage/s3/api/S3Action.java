package dev.ron.storage.s3.api;

import dev.ron.storage.s3.core.AclGrant.Permission;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a request wants to do, as capabilities, policies and access control lists name it.
 *
 * <p>A capability's {@code op} is coarse, a policy's action is fine; an access control list knows
 * five permissions, and actions without one are the owner's alone.
 */
public enum S3Action {
  LIST_BUCKETS("list-buckets", "ListAllMyBuckets", null, false),
  CREATE_BUCKET("create-bucket", "CreateBucket", null, false),
  DELETE_BUCKET("delete-bucket", "DeleteBucket", null, false),
  LIST("list", "ListBucket", Permission.READ, false),
  LIST_VERSIONS("list", "ListBucketVersions", Permission.READ, false),
  LIST_UPLOADS("list", "ListBucketMultipartUploads", Permission.READ, false),
  GET_LOCATION("list", "GetBucketLocation", null, false),
  GET("get", "GetObject", Permission.READ, true),
  GET_VERSION("version-read", "GetObjectVersion", Permission.READ, true),
  GET_ATTRIBUTES("get", "GetObjectAttributes", Permission.READ, true),
  GET_VERSION_ATTRIBUTES("version-read", "GetObjectVersionAttributes", Permission.READ, true),
  PUT("put", "PutObject", Permission.WRITE, false),
  DELETE("delete", "DeleteObject", Permission.WRITE, false),
  /** Of several objects; the right to each of them is asked for by itself. */
  DELETE_EACH("delete", "DeleteObject", null, false),
  DELETE_VERSION("version-delete", "DeleteObjectVersion", Permission.WRITE, false),
  ABORT_UPLOAD("multipart", "AbortMultipartUpload", Permission.WRITE, false),
  LIST_PARTS("multipart", "ListMultipartUploadParts", Permission.READ, false),
  GET_OBJECT_TAGS("tag", "GetObjectTagging", null, true),
  PUT_OBJECT_TAGS("tag", "PutObjectTagging", null, true),
  DELETE_OBJECT_TAGS("tag", "DeleteObjectTagging", null, true),
  GET_BUCKET_ACL("acl", "GetBucketAcl", Permission.READ_ACP, false),
  PUT_BUCKET_ACL("acl", "PutBucketAcl", Permission.WRITE_ACP, false),
  GET_OBJECT_ACL("acl", "GetObjectAcl", Permission.READ_ACP, true),
  PUT_OBJECT_ACL("acl", "PutObjectAcl", Permission.WRITE_ACP, true),
  GET_LOCK("lock", "GetObjectRetention", null, true),
  PUT_LOCK("lock", "PutObjectRetention", null, true),
  GET_HOLD("lock", "GetObjectLegalHold", null, true),
  PUT_HOLD("lock", "PutObjectLegalHold", null, true),
  GET_VERSIONING("config", "GetBucketVersioning", null, false),
  PUT_VERSIONING("config", "PutBucketVersioning", null, false),
  GET_CORS("config", "GetBucketCORS", null, false),
  PUT_CORS("config", "PutBucketCORS", null, false),
  GET_LIFECYCLE("config", "GetLifecycleConfiguration", null, false),
  PUT_LIFECYCLE("config", "PutLifecycleConfiguration", null, false),
  GET_POLICY("config", "GetBucketPolicy", null, false),
  PUT_POLICY("config", "PutBucketPolicy", null, false),
  DELETE_POLICY("config", "DeleteBucketPolicy", null, false),
  GET_POLICY_STATUS("config", "GetBucketPolicyStatus", null, false),
  GET_BUCKET_TAGS("config", "GetBucketTagging", null, false),
  PUT_BUCKET_TAGS("config", "PutBucketTagging", null, false),
  GET_PUBLIC_ACCESS_BLOCK("config", "GetBucketPublicAccessBlock", null, false),
  PUT_PUBLIC_ACCESS_BLOCK("config", "PutBucketPublicAccessBlock", null, false),
  GET_OWNERSHIP("config", "GetBucketOwnershipControls", null, false),
  PUT_OWNERSHIP("config", "PutBucketOwnershipControls", null, false),
  GET_ENCRYPTION("config", "GetEncryptionConfiguration", null, false),
  PUT_ENCRYPTION("config", "PutEncryptionConfiguration", null, false),
  GET_ACCELERATE("config", "GetAccelerateConfiguration", null, false),
  GET_LOGGING("config", "GetBucketLogging", null, false),
  GET_NOTIFICATION("config", "GetBucketNotification", null, false),
  GET_REPLICATION("config", "GetReplicationConfiguration", null, false),
  GET_REQUEST_PAYMENT("config", "GetBucketRequestPayment", null, false),
  GET_WEBSITE("config", "GetBucketWebsite", null, false),
  GET_OBJECT_LOCK("config", "GetBucketObjectLockConfiguration", null, false),
  PUT_OBJECT_LOCK("config", "PutBucketObjectLockConfiguration", null, false),
  /** Not a request of its own: asked beside a delete or a change of a lock. */
  BYPASS_GOVERNANCE("bypass-governance", "BypassGovernanceRetention", null, true);

  /** About a key, though the access control list of the bucket decides. */
  private static final Set<S3Action> ON_KEY =
      EnumSet.of(PUT, DELETE, DELETE_VERSION, ABORT_UPLOAD, LIST_PARTS);

  /** Those that policies name otherwise when they are about a version. */
  private static final Set<S3Action> HAS_VERSIONS =
      EnumSet.of(
          GET_OBJECT_TAGS, PUT_OBJECT_TAGS, DELETE_OBJECT_TAGS, GET_OBJECT_ACL, PUT_OBJECT_ACL);

  private static final Set<String> POLICY_NAMES = names();

  private final String op;
  private final String policyName;
  private final @Nullable Permission permission;
  private final boolean onObject;

  S3Action(String op, String policyName, @Nullable Permission permission, boolean onObject) {
    this.op = op;
    this.policyName = policyName;
    this.permission = permission;
    this.onObject = onObject;
  }

  /** The operation of a capability's {@code op}. */
  public String op() {
    return op;
  }

  /** As in a policy, without its {@code s3:}. */
  public String policyName() {
    return policyName;
  }

  /** The same for a request that names a version. */
  String policyName(boolean version) {
    return version && HAS_VERSIONS.contains(this)
        ? policyName.replaceFirst("Object", "ObjectVersion")
        : policyName;
  }

  /** All that a policy can speak of. */
  public static Set<String> policyNames() {
    return POLICY_NAMES;
  }

  private static Set<String> names() {
    var names = new HashSet<String>();
    for (S3Action action : values()) {
      names.add(action.policyName(false));
      names.add(action.policyName(true));
    }
    return Set.copyOf(names);
  }

  /** Whether it is about a key, and not about the bucket as a whole. */
  boolean onKey() {
    return onObject || ON_KEY.contains(this);
  }

  /** What an access control list must grant; null if none can. */
  @Nullable Permission permission() {
    return permission;
  }

  /** Whether the object's own access control list decides, and not its bucket's. */
  boolean onObject() {
    return onObject;
  }
}
