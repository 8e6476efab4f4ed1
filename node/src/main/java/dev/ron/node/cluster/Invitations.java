package dev.ron.node.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The invitations that are out, by a hash of their secrets: each for one machine, and for ten
 * minutes.
 *
 * <p>An invitation belongs to the key that used it first. The machine with that key may ask again,
 * because the answer may not have reached it; no other may.
 *
 * <p>Threading: immutable.
 */
record Invitations(List<Invitation> invitations) {
  static final Duration LIFE = Duration.ofMinutes(10);
  static final int OPEN_MAX = 32;
  static final Invitations NONE = new Invitations(List.of());

  private static final int SECRET_BYTES = 32;

  /**
   * @param secretHash in hexadecimal
   * @param usedBy hash of the key of the machine that used it; empty while none has
   * @param machine the name that machine got
   * @param replaces the machine whose place it is for; empty for none
   */
  record Invitation(
      String secretHash, long untilMillis, String usedBy, String machine, String replaces) {
    Invitation {
      replaces = replaces == null ? "" : replaces; // of a build before there was any
    }

    boolean isOver(Instant now) {
      return now.toEpochMilli() >= untilMillis;
    }
  }

  Invitations {
    invitations = List.copyOf(invitations);
  }

  static String secret(SecureRandom random) {
    byte[] bytes = new byte[SECRET_BYTES];
    random.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** With one more; those that are over are forgotten. */
  Invitations with(String secret, Instant now, String replaces) {
    var open = new ArrayList<>(invitations.stream().filter(each -> !each.isOver(now)).toList());
    if (open.size() >= OPEN_MAX) {
      throw new IllegalArgumentException(
          "%d invitations are out already; each ends after %d minutes"
              .formatted(OPEN_MAX, LIFE.toMinutes()));
    }
    open.add(new Invitation(hash(secret), now.plus(LIFE).toEpochMilli(), "", "", replaces));
    return new Invitations(open);
  }

  /** What a secret is good for. */
  sealed interface Claim {
    /** Go on; the name is empty for one that is used for the first time. */
    record Good(Invitation invitation) implements Claim {}

    record Refused(String why) implements Claim {}
  }

  Claim claim(String secret, String keyHash, Instant now) {
    Optional<Invitation> found = find(secret);
    if (found.isEmpty()) {
      return new Claim.Refused("this invitation is not known here");
    }
    if (found.get().isOver(now)) {
      return new Claim.Refused("the time of this invitation is over; ask for another");
    }
    if (!found.get().usedBy().isEmpty() && !same(found.get().usedBy(), keyHash)) {
      return new Claim.Refused("another machine has used this invitation; ask for another");
    }
    return new Claim.Good(found.get());
  }

  /** Given to a machine for good. */
  Invitations used(String secret, String keyHash, String machine) {
    Invitation taken = find(secret).orElseThrow();
    return new Invitations(
        invitations.stream()
            .map(
                each ->
                    each.equals(taken)
                        ? new Invitation(
                            each.secretHash(),
                            each.untilMillis(),
                            keyHash,
                            machine,
                            each.replaces())
                        : each)
            .toList());
  }

  /** The names of machines that may still ask again, listed or not. */
  Set<String> promised(Instant now) {
    return invitations.stream()
        .filter(each -> !each.isOver(now))
        .map(Invitation::machine)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Looks at all of them, each in the same time: how much of one was guessed is not to be felt. */
  private Optional<Invitation> find(String secret) {
    String hash = hash(secret);
    Optional<Invitation> found = Optional.empty();
    for (Invitation each : invitations) {
      if (same(each.secretHash(), hash)) {
        found = Optional.of(each);
      }
    }
    return found;
  }

  private static boolean same(String one, String other) {
    return MessageDigest.isEqual(one.getBytes(UTF_8), other.getBytes(UTF_8));
  }

  static String hash(String text) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every JDK has SHA-256", impossible);
    }
  }
}
