package dev.ron.storage.s3.core;

import org.jspecify.annotations.Nullable;

/**
 * A permission that an access control list gives.
 *
 * <p>Threading: immutable.
 *
 * @param id the tenant; empty for a group
 */
public record AclGrant(Grantee grantee, String id, Permission permission) {
  /** Whom a grant is for. */
  public enum Grantee {
    TENANT,
    ALL_USERS,
    AUTHENTICATED_USERS
  }

  /** What a grant allows. */
  public enum Permission {
    FULL_CONTROL,
    READ,
    WRITE,
    READ_ACP,
    WRITE_ACP;

    boolean covers(Permission asked) {
      return this == FULL_CONTROL || this == asked;
    }
  }

  /**
   * @param tenant null for a caller that shows no key
   */
  boolean allows(@Nullable String tenant, Permission asked) {
    return permission.covers(asked)
        && switch (grantee) {
          case ALL_USERS -> true;
          case AUTHENTICATED_USERS -> tenant != null;
          case TENANT -> id.equals(tenant);
        };
  }
}
