package dev.ron.storage.s3.api;

import dev.ron.capability.AccessDecision;
import dev.ron.capability.Capability;
import dev.ron.capability.Grant;
import dev.ron.capability.caveat.AccessRequest;
import dev.ron.http.Refusal;
import dev.ron.storage.s3.S3Fault;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who signed a request.
 *
 * <p>Threading: immutable.
 */
public sealed interface S3Caller {
  /** Owns what is made with a capability that names no tenant. */
  String OPERATOR = "operator";

  /** No key was shown. */
  record Anonymous() implements S3Caller {}

  /**
   * @param capability what the key pair stands for
   * @param named the tenant that the capability names, if it does
   */
  record Holder(Capability capability, Optional<String> named) implements S3Caller {}

  /** The holder of a capability whose secret was shown; refused if it is for another service. */
  static S3Caller holder(Capability capability, Instant now) throws Refusal {
    AccessRequest ask = AccessRequest.of(S3Rights.SERVICE, "", now);
    return switch (capability.verdictAtDoor(ask)) {
      case AccessDecision.Granted(Grant grant) -> new Holder(capability, grant.tenant());
      case AccessDecision.Refused _ ->
          throw Refusal.of(new S3Fault.AccessDenied("this key pair is not for S3"));
    };
  }

  /** The tenant that it acts for; null for a caller without a key. */
  default @Nullable String tenant() {
    return this instanceof Holder(_, Optional<String> named) ? named.orElse(OPERATOR) : null;
  }

  /** Whether all buckets are open to it, as far as its capability goes. */
  default boolean isOperator() {
    return this instanceof Holder(_, Optional<String> named) && named.isEmpty();
  }
}
