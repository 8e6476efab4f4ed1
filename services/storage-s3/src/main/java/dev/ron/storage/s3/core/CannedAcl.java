package dev.ron.storage.s3.core;

import dev.ron.storage.s3.core.AclGrant.Grantee;
import dev.ron.storage.s3.core.AclGrant.Permission;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** An access control list by name, as {@code x-amz-acl} has it. */
public enum CannedAcl {
  PRIVATE("private"),
  PUBLIC_READ("public-read"),
  PUBLIC_READ_WRITE("public-read-write"),
  AUTHENTICATED_READ("authenticated-read"),
  BUCKET_OWNER_READ("bucket-owner-read"),
  BUCKET_OWNER_FULL_CONTROL("bucket-owner-full-control");

  private final String text;

  CannedAcl(String text) {
    this.text = text;
  }

  public static Optional<CannedAcl> of(String text) {
    return Arrays.stream(values()).filter(acl -> acl.text.equals(text)).findFirst();
  }

  /** The list it stands for; the owner's own grant comes first. */
  public Acl list(String owner, String bucketOwner) {
    var grants = new ArrayList<AclGrant>();
    grants.add(new AclGrant(Grantee.TENANT, owner, Permission.FULL_CONTROL));
    grants.addAll(added(owner, bucketOwner));
    return new Acl(grants);
  }

  private List<AclGrant> added(String owner, String bucketOwner) {
    return switch (this) {
      case PRIVATE -> List.of();
      case PUBLIC_READ -> List.of(new AclGrant(Grantee.ALL_USERS, "", Permission.READ));
      case PUBLIC_READ_WRITE ->
          List.of(
              new AclGrant(Grantee.ALL_USERS, "", Permission.READ),
              new AclGrant(Grantee.ALL_USERS, "", Permission.WRITE));
      case AUTHENTICATED_READ ->
          List.of(new AclGrant(Grantee.AUTHENTICATED_USERS, "", Permission.READ));
      case BUCKET_OWNER_READ -> bucketOwner(owner, bucketOwner, Permission.READ);
      case BUCKET_OWNER_FULL_CONTROL -> bucketOwner(owner, bucketOwner, Permission.FULL_CONTROL);
    };
  }

  private static List<AclGrant> bucketOwner(
      String owner, String bucketOwner, Permission permission) {
    return owner.equals(bucketOwner)
        ? List.of()
        : List.of(new AclGrant(Grantee.TENANT, bucketOwner, permission));
  }

  @Override
  public String toString() {
    return text;
  }
}
