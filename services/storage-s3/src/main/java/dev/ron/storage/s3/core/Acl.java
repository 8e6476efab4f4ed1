package dev.ron.storage.s3.core;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The access control list of a bucket or an object.
 *
 * <p>The owner of a bucket is let in whatever the list says; a list only adds callers.
 *
 * <p>Threading: immutable.
 */
public record Acl(List<AclGrant> grants) {
  public static final Acl NONE = new Acl(List.of());

  public Acl {
    grants = List.copyOf(grants);
  }

  /**
   * @param tenant null for a caller that shows no key
   */
  public boolean allows(@Nullable String tenant, AclGrant.Permission permission) {
    return grants.stream().anyMatch(grant -> grant.allows(tenant, permission));
  }

  /** Whether it lets in no tenant but this one. */
  public boolean isOnlyFor(String tenant) {
    return grants.stream()
        .allMatch(grant -> grant.grantee() == AclGrant.Grantee.TENANT && grant.id().equals(tenant));
  }

  /** Whether it lets in callers that are none of the owner's. */
  public boolean isPublic() {
    return grants.stream().anyMatch(grant -> grant.grantee() != AclGrant.Grantee.TENANT);
  }
}
