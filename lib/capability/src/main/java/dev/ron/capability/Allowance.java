package dev.ron.capability;

import dev.ron.capability.caveat.AccessRequest;
import dev.ron.capability.caveat.Caveat;
import dev.ron.capability.caveat.CaveatPath;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What all caveats of a token leave together.
 *
 * <p>Always a conjunction: a caveat can only restrict, so no order and no repetition of caveats
 * widens a token. The narrowest limits are found once, since a token is shown often.
 *
 * <p>Threading: immutable.
 */
final class Allowance {
  private static final long NO_LIMIT = Long.MAX_VALUE;

  private final List<Caveat> caveats;
  private final @Nullable CapabilityFault always;
  private final @Nullable String tenant;
  private final @Nullable Instant expires;
  private final long bytesMax;

  Allowance(List<Caveat> caveats) {
    String tenant = null;
    Instant expires = null;
    long bytes = NO_LIMIT;
    CapabilityFault unknown = null;
    CapabilityFault secondTenant = null;
    for (Caveat caveat : caveats) {
      switch (caveat) {
        case Caveat.Expiry e ->
            expires = expires == null || e.at().isBefore(expires) ? e.at() : expires;
        case Caveat.Bytes b -> bytes = Math.min(bytes, b.max());
        case Caveat.Unknown u ->
            unknown = unknown == null ? new CapabilityFault.UnknownCaveat(u) : unknown;
        case Caveat.Tenant t -> {
          if (tenant != null && !tenant.equals(t.name())) {
            secondTenant = new CapabilityFault.Scope(t);
          }
          tenant = tenant == null ? t.name() : tenant;
        }
        case Caveat.Service _,
            Caveat.Operation _,
            Caveat.Prefix _,
            Caveat.Rate _,
            Caveat.Pack _,
            Caveat.Zoom _,
            Caveat.BoundingBox _,
            Caveat.Bucket _,
            Caveat.Key _ -> {}
      }
    }
    this.caveats = List.copyOf(caveats);
    this.tenant = tenant;
    this.expires = expires;
    this.bytesMax = bytes;
    this.always = unknown != null ? unknown : secondTenant;
  }

  /** The first fault in order of precedence; empty if the request is allowed. */
  Optional<CapabilityFault> refusal(AccessRequest ask) {
    return refusal(ask, _ -> true);
  }

  /** The same, for a door that passes the token on: the service checks what only it knows. */
  Optional<CapabilityFault> refusalAtDoor(AccessRequest ask) {
    return refusal(ask, caveat -> isForEveryone(caveat) && !(caveat instanceof Caveat.Operation));
  }

  /** The same, before the operation's target is known: caveats about the target are left out. */
  Optional<CapabilityFault> refusalBeforehand(AccessRequest ask) {
    return refusal(ask, Allowance::isForEveryone);
  }

  private static boolean isForEveryone(Caveat caveat) {
    return switch (caveat) {
      case Caveat.Service _,
          Caveat.Operation _,
          Caveat.Tenant _,
          Caveat.Expiry _,
          Caveat.Rate _,
          Caveat.Bytes _,
          Caveat.Unknown _ ->
          true;
      case Caveat.Prefix _,
          Caveat.Pack _,
          Caveat.Zoom _,
          Caveat.BoundingBox _,
          Caveat.Bucket _,
          Caveat.Key _ ->
          false;
    };
  }

  /** Whether the token's earliest expiry has come. */
  Optional<CapabilityFault> expired(Instant now) {
    return expires != null && !now.isBefore(expires)
        ? Optional.of(new CapabilityFault.Expired(expires))
        : Optional.empty();
  }

  private Optional<CapabilityFault> refusal(AccessRequest ask, Predicate<Caveat> looksAt) {
    Optional<CapabilityFault> expired = expired(ask.now());
    if (expired.isPresent()) {
      return expired;
    }
    if (always instanceof CapabilityFault.UnknownCaveat) {
      return Optional.of(always);
    }
    if (ask.path() != null) {
      Optional<String> ambiguity = CaveatPath.ambiguity(ask.path());
      if (ambiguity.isPresent()) {
        return Optional.of(new CapabilityFault.AmbiguousPath(ambiguity.get()));
      }
    }
    for (Caveat caveat : caveats) {
      if (looksAt.test(caveat) && !caveat.allows(ask)) {
        return Optional.of(new CapabilityFault.Scope(caveat));
      }
    }
    return Optional.ofNullable(always);
  }

  /** What passes on with a token that allows {@code ask}. */
  Grant grant(AccessRequest ask, Capability capability) {
    return new Grant(
        Optional.ofNullable(tenant == null ? ask.tenant() : tenant),
        capability.rates(),
        limit(bytesMax),
        Optional.ofNullable(expires),
        capability.id(),
        capability.hashPrefix());
  }

  Optional<String> tenant() {
    return Optional.ofNullable(tenant);
  }

  /** The earlier of {@code instant} and the token's own end. */
  Instant endsBy(Instant instant) {
    return expires != null && expires.isBefore(instant) ? expires : instant;
  }

  private static OptionalLong limit(long value) {
    return value == NO_LIMIT ? OptionalLong.empty() : OptionalLong.of(value);
  }
}
