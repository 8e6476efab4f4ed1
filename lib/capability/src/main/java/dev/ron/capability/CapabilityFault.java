package dev.ron.capability;

import dev.ron.capability.caveat.Caveat;
import java.time.Instant;

/**
 * Why a token is refused, in order of precedence: the first that applies is the answer.
 *
 * <p>Details name what is wrong and what to do; none holds the token, and what they quote from a
 * caller is printable and short.
 *
 * <p>Threading: immutable.
 */
public sealed interface CapabilityFault {
  /** No token was shown. */
  record Missing() implements CapabilityFault {}

  /** It cannot be read. */
  record Malformed(String reason) implements CapabilityFault {}

  /** Its key was never here, or is past its grace. */
  record UnknownKey(String keyId) implements CapabilityFault {}

  /** It was altered, or signed with another key. */
  record BadSignature(String tokenHashPrefix) implements CapabilityFault {}

  /** It, or the token it was made from, was withdrawn. */
  record Revoked(String tokenHashPrefix) implements CapabilityFault {}

  /** Its earliest expiry has come. */
  record Expired(Instant at) implements CapabilityFault {}

  /** It has a caveat that is not in the language. */
  record UnknownCaveat(Caveat.Unknown caveat) implements CapabilityFault {}

  /** What is asked for could be read in two ways. */
  record AmbiguousPath(String reason) implements CapabilityFault {}

  /** It is good, but not for this. */
  record Scope(Caveat caveat) implements CapabilityFault {}

  /** True if the token is not valid for anything now; false if it is valid, but not for this. */
  default boolean worthless() {
    return switch (this) {
      case Missing _, Malformed _, UnknownKey _, BadSignature _, Revoked _, Expired _ -> true;
      case UnknownCaveat _, AmbiguousPath _, Scope _ -> false;
    };
  }

  /** One sentence on what is wrong and one on what to do. */
  default String detail() {
    return switch (this) {
      case Missing() -> "No capability was shown. Send one as Authorization: Bearer.";
      case Malformed(var reason) ->
          "The capability cannot be read: " + reason + ". Send it exactly as it was minted.";
      case UnknownKey(var keyId) ->
          "The capability was signed with key "
              + keyId
              + ", which is unknown here or no longer accepted. Have a new one minted.";
      case BadSignature(var prefix) ->
          "The signature of capability "
              + prefix
              + " does not fit. Send it unaltered, to the node that minted it.";
      case Revoked(var prefix) -> "Capability " + prefix + " was revoked. Have a new one minted.";
      case Expired(var at) -> "The capability expired at " + at + ". Have a new one minted.";
      case UnknownCaveat(var caveat) ->
          "The capability has a caveat that is not understood here: "
              + quoted(caveat.text())
              + ". Attenuate from the original without it.";
      case AmbiguousPath(var reason) ->
          "The path cannot be checked: " + reason + ". Send it in normal form.";
      case Scope(var caveat) ->
          "The capability's caveat "
              + quoted(caveat.text())
              + " does not allow this. Stay within it or ask for a wider capability.";
    };
  }

  private static String quoted(String text) {
    int charsMax = 80;
    var out = new StringBuilder("'");
    for (int i = 0; i < Math.min(text.length(), charsMax); i++) {
      char c = text.charAt(i);
      out.append(c >= ' ' && c < 0x7f ? c : '?');
    }
    return out.append(text.length() > charsMax ? "...'" : "'").toString();
  }
}
