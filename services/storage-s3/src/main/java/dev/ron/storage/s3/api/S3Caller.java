package dev.ron.storage.s3.api;

import dev.ron.capability.AccessDecision;
import dev.ron.capability.Capability;
import dev.ron.capability.Grant;
import dev.ron.capability.caveat.AccessRequest;
import dev.ron.http.Refusal;
import dev.ron.storage.s3.S3Fault;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Who signed a request.
 *
 * <p>Threading: immutable.
 */
public sealed interface S3Caller {
  /** Owns what is made with a capability that names no tenant. */
  String OPERATOR = "operator";

  /** Owns what is made without a key. */
  String ANONYMOUS = "anonymous";

  /** No key was shown. */
  record Anonymous() implements S3Caller {}

  /**
   * @param capability what the key pair stands for
   * @param grant the tenant that the capability names, if it does, and how much it may send
   */
  record Holder(Capability capability, Grant grant) implements S3Caller {}

  /**
   * The holder of a capability whose secret was shown; refused if it is for another service, or for
   * a tenant whose name is taken: it would own what the operator or callers without a key own.
   */
  static S3Caller holder(Capability capability, Instant now) throws Refusal {
    AccessRequest ask = AccessRequest.of(S3Rights.SERVICE, "", now);
    return switch (capability.verdictAtDoor(ask)) {
      case AccessDecision.Granted(Grant grant) -> {
        if (grant.tenant().filter(S3Caller::isReserved).isPresent()) {
          throw Refusal.of(new S3Fault.AccessDenied("this tenant's name is reserved"));
        }
        yield new Holder(capability, grant);
      }
      case AccessDecision.Refused _ ->
          throw Refusal.of(new S3Fault.AccessDenied("this key pair is not for S3"));
    };
  }

  private static boolean isReserved(String tenant) {
    return tenant.equals(OPERATOR) || tenant.equals(ANONYMOUS);
  }

  /** The tenant that it acts for; null for a caller without a key. */
  default @Nullable String tenant() {
    return this instanceof Holder(_, Grant grant) ? grant.tenant().orElse(OPERATOR) : null;
  }

  /** How many bytes a body of its may have. */
  default long bytesMax() {
    return this instanceof Holder(_, Grant grant)
        ? grant.bytesMax().orElse(Long.MAX_VALUE)
        : Long.MAX_VALUE;
  }

  /** Whether all buckets are open to it, as far as its capability goes. */
  default boolean isOperator() {
    return this instanceof Holder(_, Grant grant) && grant.tenant().isEmpty();
  }
}
