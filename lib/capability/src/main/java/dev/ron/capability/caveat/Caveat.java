package dev.ron.capability.caveat;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Set;

/**
 * One thing a token is narrowed to, in a closed language; what is not in it fails closed.
 *
 * <pre>
 * caveat  = "service = " names          the ask's service is one of them
 *         | "op = " names               its operation is one of them
 *         | "tenant = " name            it is for this tenant, or names none
 *         | "prefix = " prefix          its path or topic lies under it, see {@link PathPrefix}
 *         | "expires = " instant        it comes before; UTC to the second, 2026-11-15T10:00:00Z
 *         | "rate = " positive "/s"     requests a second; handed on in the {@code Grant}
 *         | "bytes = " number           a body has at most so many; handed on likewise
 *         | "pack = " names             its map pack is one of them
 *         | "zoom = " number "-" number its zoom lies between, both included, 0 to 31
 *         | "bbox = " w "," s "," e "," n   its area lies inside, degrees, see {@link Box}
 *         | "bucket = " names           its bucket is one of them
 *         | "key = " key                its object's key begins with these bytes, see {@link KeyPrefix}
 * names   = name *("," name)            at most 32, none twice; written in ascending order
 * name    = 1 to 64 of A-Z a-z 0-9 . _ : -, starting with a letter or digit
 * number  = decimal digits without leading zero, at most 18
 * </pre>
 *
 * <p>Every caveat has one rendering, and {@code parse(text())} gives it back. Lists are read in any
 * order; everything else is read only in that rendering, and any other text is {@link Unknown}.
 * Caveats of one kind intersect: each must allow the request. A request that does not name what a
 * caveat restricts (a pack, a path, a zoom) is refused, except where noted above.
 *
 * <p>Threading: immutable.
 */
public sealed interface Caveat {
  /** The one rendering; this is what is signed. */
  String text();

  /** Whether this caveat alone lets the request pass. */
  boolean allows(AccessRequest ask);

  /** Reads a caveat; text outside the language is {@link Unknown}, never an error. */
  static Caveat parse(String text) {
    return CaveatGrammar.parse(text);
  }

  /** The services it may be shown to. */
  record Service(Set<String> names) implements Caveat {
    public Service {
      names = CaveatGrammar.names(names);
    }

    @Override
    public String text() {
      return "service = " + String.join(",", names);
    }

    @Override
    public boolean allows(AccessRequest ask) {
      return names.contains(ask.service());
    }
  }

  /** The operations it may be used for. */
  record Operation(Set<String> names) implements Caveat {
    public Operation {
      names = CaveatGrammar.names(names);
    }

    @Override
    public String text() {
      return "op = " + String.join(",", names);
    }

    @Override
    public boolean allows(AccessRequest ask) {
      return names.contains(ask.operation());
    }
  }

  /** The party that is charged. */
  record Tenant(String name) implements Caveat {
    public Tenant {
      CaveatGrammar.requireName(name);
    }

    @Override
    public String text() {
      return "tenant = " + name;
    }

    @Override
    public boolean allows(AccessRequest ask) {
      return ask.tenant() == null || name.equals(ask.tenant());
    }
  }

  /** The part of the paths or topics it reaches. */
  record Prefix(String prefix) implements Caveat {
    public Prefix {
      PathPrefix.require(prefix);
    }

    @Override
    public String text() {
      return "prefix = " + prefix;
    }

    @Override
    public boolean allows(AccessRequest ask) {
      return ask.path() != null && PathPrefix.covers(prefix, ask.path());
    }
  }

  /** The first instant at which it is no longer valid. */
  record Expiry(Instant at) implements Caveat {
    public Expiry {
      if (!at.equals(at.truncatedTo(ChronoUnit.SECONDS)) || at.toString().length() != 20) {
        throw new IllegalArgumentException("an expiry is a whole second of years 0 to 9999: " + at);
      }
    }

    /** After a life counted from {@code now}; rounded down, so never later than asked for. */
    public static Expiry after(Instant now, Duration life) {
      return new Expiry(now.plus(life).truncatedTo(ChronoUnit.SECONDS));
    }

    @Override
    public String text() {
      return "expires = " + at;
    }

    @Override
    public boolean allows(AccessRequest ask) {
      return ask.now().isBefore(at);
    }
  }

  /**
   * Requests a second; no single request breaks it, so the service that grants access must keep
   * count.
   */
  record Rate(long perSecond) implements Caveat {
    public Rate {
      CaveatGrammar.requireNumber(perSecond, 1);
    }

    @Override
    public String text() {
      return "rate = " + perSecond + "/s";
    }

    @Override
    public boolean allows(AccessRequest ask) {
      return true;
    }
  }

  /** The most bytes of one body; a body of unknown length passes, and is cut off at the limit. */
  record Bytes(long max) implements Caveat {
    public Bytes {
      CaveatGrammar.requireNumber(max, 0);
    }

    @Override
    public String text() {
      return "bytes = " + max;
    }

    @Override
    public boolean allows(AccessRequest ask) {
      return ask.bytes() == null || ask.bytes() <= max;
    }
  }

  /** The map packs it opens. */
  record Pack(Set<String> names) implements Caveat {
    public Pack {
      names = CaveatGrammar.names(names);
    }

    @Override
    public String text() {
      return "pack = " + String.join(",", names);
    }

    @Override
    public boolean allows(AccessRequest ask) {
      return ask.pack() != null && names.contains(ask.pack());
    }
  }

  /** The zoom levels it shows. */
  record Zoom(int min, int max) implements Caveat {
    /** What a 64-bit tile id can number. */
    public static final int ZOOM_MAX = 31;

    public Zoom {
      if (min < 0 || min > max || max > ZOOM_MAX) {
        throw new IllegalArgumentException("zoom %d-%d is not within 0-31".formatted(min, max));
      }
    }

    @Override
    public String text() {
      return "zoom = " + min + "-" + max;
    }

    @Override
    public boolean allows(AccessRequest ask) {
      return ask.zoom() != null && min <= ask.zoom() && ask.zoom() <= max;
    }
  }

  /** The area it shows; what sticks out of the box is refused, not clipped. */
  record BoundingBox(Box box) implements Caveat {
    @Override
    public String text() {
      return "bbox = " + box.text();
    }

    @Override
    public boolean allows(AccessRequest ask) {
      return ask.box() != null && box.contains(ask.box());
    }
  }

  /** The buckets it reaches. */
  record Bucket(Set<String> names) implements Caveat {
    public Bucket {
      names = CaveatGrammar.names(names);
    }

    @Override
    public String text() {
      return "bucket = " + String.join(",", names);
    }

    @Override
    public boolean allows(AccessRequest ask) {
      return ask.bucket() != null && names.contains(ask.bucket());
    }
  }

  /** The first bytes of the keys it reaches, in whichever bucket. */
  record Key(KeyPrefix prefix) implements Caveat {
    @Override
    public String text() {
      return "key = " + prefix.text();
    }

    @Override
    public boolean allows(AccessRequest ask) {
      return ask.key() != null && prefix.covers(ask.key());
    }
  }

  /** A caveat from elsewhere or from later: it counts in the signature and allows nothing. */
  record Unknown(String text) implements Caveat {
    public Unknown {
      if (text.isEmpty() || CaveatGrammar.known(text)) {
        throw new IllegalArgumentException("this caveat is not unknown");
      }
    }

    @Override
    public boolean allows(AccessRequest ask) {
      return false;
    }
  }
}
