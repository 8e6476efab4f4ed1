package dev.ron.capability;

import java.time.Instant;

/**
 * Why a token does not help, in order of precedence: the first that applies is the answer.
 *
 * <p>{@code unauth} means that the token is worth nothing to anyone now; {@code forbidden} that it
 * is good, but not for this. Details name what is wrong and what to do; none holds the token, and
 * what they quote from a stranger is printable and short.
 *
 * <p>Threading: immutable.
 */
public sealed interface CapabilityFault {
  /** {@code unauth} or {@code forbidden}. */
  default String code() {
    return switch (this) {
      case Missing _, Malformed _, UnknownKey _, BadSignature _, Revoked _, Expired _ -> "unauth";
      case UnknownCaveat _, AmbiguousPath _, Scope _ -> "forbidden";
    };
  }

  /** One sentence on what is wrong and one on what to do. */
  String detail();

  /** No token was shown. */
  record Missing() implements CapabilityFault {
    @Override
    public String detail() {
      return "No capability was shown. Send one as Authorization: Bearer.";
    }
  }

  /** It cannot be read. */
  record Malformed(String reason) implements CapabilityFault {
    @Override
    public String detail() {
      return "The capability cannot be read: " + reason + ". Send it exactly as it was minted.";
    }
  }

  /** Its key was never here, or is past its grace. */
  record UnknownKey(String keyId) implements CapabilityFault {
    @Override
    public String detail() {
      return "The capability was signed with key "
          + keyId
          + ", which is unknown here or no longer accepted. Have a new one minted.";
    }
  }

  /** It was altered, or signed by somebody else. */
  record BadSignature(String tokenHashPrefix) implements CapabilityFault {
    @Override
    public String detail() {
      return "The signature of capability "
          + tokenHashPrefix
          + " does not fit. Send it unaltered, to the node that minted it.";
    }
  }

  /** It, or the token it was made from, was withdrawn. */
  record Revoked(String tokenHashPrefix) implements CapabilityFault {
    @Override
    public String detail() {
      return "Capability " + tokenHashPrefix + " was revoked. Have a new one minted.";
    }
  }

  /** Its earliest expiry has come. */
  record Expired(Instant at) implements CapabilityFault {
    @Override
    public String detail() {
      return "The capability expired at " + at + ". Have a new one minted.";
    }
  }

  /** It has a caveat that is not in the language. */
  record UnknownCaveat(Caveat.Unknown caveat) implements CapabilityFault {
    @Override
    public String detail() {
      return "The capability has a caveat that is not understood here: "
          + quoted(caveat.text())
          + ". Attenuate from the original without it.";
    }
  }

  /** What is asked for could be read in two ways. */
  record AmbiguousPath(String reason) implements CapabilityFault {
    @Override
    public String detail() {
      return "The path cannot be checked: " + reason + ". Send it in normal form.";
    }
  }

  /** It is good, but not for this. */
  record Scope(Caveat caveat) implements CapabilityFault {
    @Override
    public String detail() {
      return "The capability's caveat "
          + quoted(caveat.text())
          + " does not allow this. Stay within it or ask for a wider capability.";
    }
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
