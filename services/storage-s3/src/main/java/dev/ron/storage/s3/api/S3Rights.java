package dev.ron.storage.s3.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.capability.AccessDecision;
import dev.ron.capability.caveat.AccessRequest;
import dev.ron.http.Refusal;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.core.Acl;
import dev.ron.storage.s3.core.AclGrant;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.ObjectKey;
import dev.ron.storage.s3.core.ObjectOwnership;
import dev.ron.storage.s3.core.ObjectVersion;
import dev.ron.storage.s3.names.NameView;
import dev.ron.storage.s3.policy.BucketAccess;
import dev.ron.storage.s3.policy.BucketPolicy;
import dev.ron.storage.s3.policy.PolicyRequest;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whether a caller may do what it asks.
 *
 * <p>First its capability: a key pair never does more than its token. Then the bucket: the operator
 * may do everything, the owner what the bucket's policy does not deny, others what that policy or
 * an access control list gives them besides.
 *
 * <p>Threading: stateless.
 */
public final class S3Rights {
  static final String SERVICE = "s3";

  private static final Set<S3Action> MENDS =
      EnumSet.of(S3Action.GET_POLICY, S3Action.PUT_POLICY, S3Action.DELETE_POLICY);

  /** By the field that asks for it. */
  private static final Map<String, S3Action> BESIDE_PUT =
      Map.of(
          "x-amz-tagging", S3Action.PUT_OBJECT_TAGS,
          "x-amz-acl", S3Action.PUT_OBJECT_ACL,
          "x-amz-grant-read", S3Action.PUT_OBJECT_ACL,
          "x-amz-grant-write", S3Action.PUT_OBJECT_ACL,
          "x-amz-grant-read-acp", S3Action.PUT_OBJECT_ACL,
          "x-amz-grant-write-acp", S3Action.PUT_OBJECT_ACL,
          "x-amz-grant-full-control", S3Action.PUT_OBJECT_ACL,
          "x-amz-object-lock-mode", S3Action.PUT_LOCK,
          "x-amz-object-lock-legal-hold", S3Action.PUT_HOLD);

  /** A lock binds the bucket's owner too, so the right to store is none to lock. */
  private static final Set<S3Action> LOCKS = EnumSet.of(S3Action.PUT_LOCK, S3Action.PUT_HOLD);

  /** Told of an object's bytes, so that the right to read them is wanted besides. */
  private static final Set<S3Action> ABOUT_BYTES =
      EnumSet.of(S3Action.GET_ATTRIBUTES, S3Action.GET_VERSION_ATTRIBUTES);

  private S3Rights() {}

  /** Refuses what the caller may not do. */
  public static void require(S3Call call, S3Action action) throws Refusal {
    if (action == S3Action.DELETE_EACH) {
      requireBeforehand(call, action);
      return;
    }
    requireCapability(call, action);
    if (call.target().level() == S3Target.Level.SERVICE) {
      // A caller without a key owns no bucket, and is told so.
      if (call.caller().tenant() == null && action != S3Action.LIST_BUCKETS) {
        throw denied();
      }
      return;
    }
    if (action == S3Action.CREATE_BUCKET) {
      if (call.caller().tenant() == null) {
        throw denied();
      }
      return;
    }
    S3Resource resource = S3Resource.of(call);
    requireOwner(call, "x-amz-expected-bucket-owner", resource.bucket());
    if (!allows(call, action, resource)
        || (ABOUT_BYTES.contains(action) && !may(call, read(resource), resource))) {
      throw denied();
    }
  }

  /** What it takes to read the bytes. */
  private static S3Action read(S3Resource resource) {
    return resource.isVersion() ? S3Action.GET_VERSION : S3Action.GET;
  }

  /** A client that says whose bucket it means does not want another's of the same name. */
  private static void requireOwner(S3Call call, String field, Bucket bucket) throws Refusal {
    String expected = call.header(field);
    if (expected != null && !expected.equals(bucket.owner())) {
      throw denied();
    }
  }

  /** The same for the source of a copy. */
  public static void requireRead(S3Call call, S3Resource source) throws Refusal {
    requireOwner(call, "x-amz-source-expected-bucket-owner", source.bucket());
    if (!may(call, read(source), source)) {
      throw denied();
    }
  }

  /**
   * Asks the capability alone, for what a request does besides: the lists and locks that it puts on
   * what it stores.
   */
  public static void requireCapability(S3Call call, S3Action action) throws Refusal {
    if (!capabilityAllows(call, action, call.target().bucket(), call.target().key())) {
      throw denied();
    }
  }

  /** Before it is known which objects a request is about; each is asked for later. */
  private static void requireBeforehand(S3Call call, S3Action action) throws Refusal {
    requireOwner(call, "x-amz-expected-bucket-owner", call.bucket());
    if (call.caller() instanceof S3Caller.Holder holder
        && !(holder.capability().verdictBeforehand(ask(call, action))
            instanceof AccessDecision.Granted)) {
      throw denied();
    }
  }

  /** Whether the caller may do something more beside what it asked for. */
  public static boolean may(S3Call call, S3Action action, S3Resource resource) throws Refusal {
    return capabilityAllows(call, action, resource.bucket().name().text(), resource.key())
        && allows(call, action, resource);
  }

  /** The owner can always mend the policy that it set, also one that it cannot be let in by. */
  private static boolean allows(S3Call call, S3Action action, S3Resource resource) throws Refusal {
    S3Caller caller = call.caller();
    boolean owner = resource.bucket().owner().equals(caller.tenant());
    if (caller.isOperator() || (owner && MENDS.contains(action))) {
      return true;
    }
    BucketAccess access = access(call, resource.bucket());
    if (owner && access.policy().statements().isEmpty()) {
      return true;
    }
    ObjectVersion existing = existing(call, action, resource);
    BucketPolicy.Verdict verdict = verdict(call, action, access, existing, resource);
    if (verdict == BucketPolicy.Verdict.DENIES) {
      return false;
    }
    if (owner) {
      return true;
    }
    return !access.isRestricted()
        && (verdict == BucketPolicy.Verdict.ALLOWS
            || isListed(call, action, access, existing, resource))
        && (action != S3Action.PUT || mayLock(call, access, existing, resource));
  }

  private static BucketPolicy.Verdict verdict(
      S3Call call,
      S3Action action,
      BucketAccess access,
      @Nullable ObjectVersion existing,
      S3Resource resource) {
    BucketPolicy.Verdict verdict = verdictAlone(call, action, access, existing, resource);
    // What a put does besides is not granted by the right to it alone once it is denied by name.
    boolean denied =
        action == S3Action.PUT
            && BESIDE_PUT.entrySet().stream()
                .filter(beside -> call.header(beside.getKey()) != null)
                .anyMatch(
                    beside ->
                        verdictAlone(call, beside.getValue(), access, existing, resource)
                            == BucketPolicy.Verdict.DENIES);
    return denied ? BucketPolicy.Verdict.DENIES : verdict;
  }

  private static BucketPolicy.Verdict verdictAlone(
      S3Call call,
      S3Action action,
      BucketAccess access,
      @Nullable ObjectVersion existing,
      S3Resource resource) {
    if (access.policy().statements().isEmpty()) {
      return BucketPolicy.Verdict.SILENT;
    }
    var context = new PolicyContext(call, resource, existing);
    return access
        .policy()
        .of(
            new PolicyRequest(
                call.caller().tenant(),
                action.policyName(resource.isVersion()),
                resource.text(action),
                context::value));
  }

  /** Whether the policy lets a guest put the locks on that its request asks for. */
  private static boolean mayLock(
      S3Call call, BucketAccess access, @Nullable ObjectVersion existing, S3Resource resource) {
    return BESIDE_PUT.entrySet().stream()
        .filter(beside -> LOCKS.contains(beside.getValue()))
        .filter(beside -> call.header(beside.getKey()) != null)
        .allMatch(
            beside ->
                verdictAlone(call, beside.getValue(), access, existing, resource)
                    == BucketPolicy.Verdict.ALLOWS);
  }

  private static BucketAccess access(S3Call call, Bucket bucket) throws Refusal {
    return BucketAccess.of(call.view(), bucket);
  }

  /** The version that is asked about. */
  private static @Nullable ObjectVersion existing(
      S3Call call, S3Action action, S3Resource resource) {
    ObjectKey key = resource.key();
    if (key == null || !action.onKey()) {
      return null;
    }
    NameView view = call.view();
    long bucket = resource.bucket().id();
    return resource.isVersion()
        ? view.version(bucket, key, resource.version()).map(NameView.Found::version).orElse(null)
        : view.object(bucket, key).orElse(null);
  }

  /** Whether an access control list lets the caller in: the bucket's, or the version's own. */
  private static boolean isListed(
      S3Call call,
      S3Action action,
      BucketAccess access,
      @Nullable ObjectVersion existing,
      S3Resource resource) {
    Bucket bucket = resource.bucket();
    NameView view = call.view();
    AclGrant.Permission permission = action.permission();
    String tenant = call.caller().tenant();
    boolean listsOff = view.ownership(bucket.id()) == ObjectOwnership.BUCKET_OWNER_ENFORCED;
    Acl ofBucket = listsOff ? Acl.NONE : access.block().counted(bucket.acl());
    if (!action.onObject() || resource.key() == null) {
      return permission != null && ofBucket.allows(tenant, permission);
    }
    if (existing == null) {
      // That an object is not there is told to those that may list its bucket.
      return permission == AclGrant.Permission.READ
          && (ofBucket.allows(tenant, permission)
              || verdict(call, S3Action.LIST, access, null, resource)
                  == BucketPolicy.Verdict.ALLOWS);
    }
    if (listsOff || permission == null) {
      return false;
    }
    boolean aboutList =
        permission == AclGrant.Permission.READ_ACP || permission == AclGrant.Permission.WRITE_ACP;
    return access.block().counted(existing.acl()).allows(tenant, permission)
        || (aboutList && existing.owner().equals(tenant));
  }

  private static boolean capabilityAllows(
      S3Call call, S3Action action, String bucket, @Nullable ObjectKey key) throws Refusal {
    if (!(call.caller() instanceof S3Caller.Holder holder)) {
      return true;
    }
    AccessRequest ask = ask(call, action);
    if (!bucket.isEmpty()) {
      byte[] about = key == null ? listed(call, action) : key.bytes();
      ask = about.length == 0 ? ask.onBucket(bucket) : ask.onKey(bucket, about);
    }
    return holder.capability().verdict(ask) instanceof AccessDecision.Granted;
  }

  /** A body of unknown length is cut off where it is read, see {@link S3Call#body}. */
  private static AccessRequest ask(S3Call call, S3Action action) throws Refusal {
    return AccessRequest.of(SERVICE, action.op(), call.context().time().wall())
        .withBytes(Math.max(0, call.bodyBytes()));
  }

  /** What all keys of a listing begin with; empty if it is none, or one of all keys. */
  private static byte[] listed(S3Call call, S3Action action) {
    boolean lists =
        switch (action) {
          case LIST, LIST_VERSIONS, LIST_UPLOADS -> true;
          default -> false;
        };
    byte[] prefix = call.query().value("prefix").orElse("").getBytes(UTF_8);
    return lists && prefix.length <= ObjectKey.BYTES_MAX ? prefix : new byte[0];
  }

  private static Refusal denied() {
    return Refusal.of(new S3Fault.AccessDenied("Access Denied"));
  }
}
