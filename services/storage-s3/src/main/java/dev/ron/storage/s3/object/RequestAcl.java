package dev.ron.storage.s3.object;

import dev.ron.capability.caveat.Caveat;
import dev.ron.http.Refusal;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.core.Acl;
import dev.ron.storage.s3.core.AclGrant;
import dev.ron.storage.s3.core.AclGrant.Grantee;
import dev.ron.storage.s3.core.AclGrant.Permission;
import dev.ron.storage.s3.core.CannedAcl;
import java.util.ArrayList;
import java.util.List;

/**
 * The access control list that the fields of a request give.
 *
 * <p>Threading: stateless.
 */
public final class RequestAcl {
  private static final String GROUPS = "http://acs.amazonaws.com/groups/global/";

  /** The field that names a list. */
  static final String CANNED = "x-amz-acl";

  private static final List<GrantField> GRANTS =
      List.of(
          new GrantField("x-amz-grant-read", Permission.READ),
          new GrantField("x-amz-grant-write", Permission.WRITE),
          new GrantField("x-amz-grant-read-acp", Permission.READ_ACP),
          new GrantField("x-amz-grant-write-acp", Permission.WRITE_ACP),
          new GrantField("x-amz-grant-full-control", Permission.FULL_CONTROL));

  private record GrantField(String name, Permission permission) {}

  private RequestAcl() {}

  /** By name, or by a field for each permission; the owner's alone if there is neither. */
  public static Acl of(S3Call call, String owner, String bucketOwner) throws Refusal {
    String name = call.header(CANNED);
    List<AclGrant> grants = grants(call);
    if (name != null && !grants.isEmpty()) {
      throw Refusal.of(
          new S3Fault.InvalidRequest(
              "Specifying both Canned ACLs and Header Grants is not allowed"));
    }
    if (!grants.isEmpty()) {
      return new Acl(grants);
    }
    return CannedAcl.of(name == null ? "private" : name)
        .orElseThrow(() -> Refusal.of(new S3Fault.InvalidArgument("x-amz-acl = " + name)))
        .list(owner, bucketOwner);
  }

  /** Whether the request says anything of an access control list. */
  public static boolean isGiven(S3Call call) {
    return call.header(CANNED) != null
        || GRANTS.stream().anyMatch(each -> call.header(each.name()) != null);
  }

  private static List<AclGrant> grants(S3Call call) throws Refusal {
    var grants = new ArrayList<AclGrant>();
    for (GrantField each : GRANTS) {
      String text = call.header(each.name());
      if (text != null) {
        for (String piece : text.split(",", 101)) {
          grants.add(grant(piece.strip(), each.permission()));
        }
      }
    }
    return grants;
  }

  private static AclGrant grant(String text, Permission permission) throws Refusal {
    int equals = text.indexOf('=');
    String kind = equals < 0 ? "" : text.substring(0, equals).strip();
    String value = equals < 0 ? "" : text.substring(equals + 1).strip().replace("\"", "");
    return switch (kind) {
      case "id" -> tenant(value, permission);
      case "uri" -> new AclGrant(group(value), "", permission);
      case "emailAddress" -> throw Refusal.of(new S3Fault.UnresolvableGrantByEmailAddress(value));
      default -> throw Refusal.of(new S3Fault.InvalidArgument("a grant is id=, uri= or email"));
    };
  }

  /**
   * A grant to a tenant; that there is such a tenant is not known here, but its name must be one.
   */
  public static AclGrant tenant(String id, Permission permission) throws Refusal {
    try {
      return new AclGrant(Grantee.TENANT, new Caveat.Tenant(id).name(), permission);
    } catch (IllegalArgumentException _) {
      throw Refusal.of(new S3Fault.InvalidArgument("Invalid id: " + id + " names no tenant"));
    }
  }

  /** The name of a group. */
  public static String uri(Grantee group) {
    return switch (group) {
      case ALL_USERS -> GROUPS + "AllUsers";
      case AUTHENTICATED_USERS -> GROUPS + "AuthenticatedUsers";
      case TENANT -> throw new IllegalArgumentException("a tenant is no group");
    };
  }

  /** The group that a URI names. */
  public static Grantee group(String uri) throws Refusal {
    return switch (uri) {
      case GROUPS + "AllUsers" -> Grantee.ALL_USERS;
      case GROUPS + "AuthenticatedUsers" -> Grantee.AUTHENTICATED_USERS;
      default -> throw Refusal.of(new S3Fault.InvalidArgument("Invalid group uri: " + uri));
    };
  }
}
