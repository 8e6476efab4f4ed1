package dev.ron.http.field;

import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which bytes of how many an answer carries, or that the range was none of them.
 *
 * <p>Threading: immutable.
 */
public sealed interface ContentRange {
  Pattern FORM =
      Pattern.compile(
          "(?i:bytes) (?:([0-9]{1,18})-([0-9]{1,18})/([0-9]{1,18}|\\*)|\\*/([0-9]{1,18}))");

  /**
   * @param bytesTotal empty where the sender does not know it yet ({@code /*})
   */
  record Part(ByteRange range, OptionalLong bytesTotal) implements ContentRange {
    public Part {
      if (bytesTotal.isPresent() && bytesTotal.getAsLong() <= range.last()) {
        throw new IllegalArgumentException("a range ends before the total");
      }
    }

    @Override
    public String toString() {
      String total = bytesTotal.isPresent() ? Long.toString(bytesTotal.getAsLong()) : "*";
      return "bytes " + range.first() + "-" + range.last() + "/" + total;
    }
  }

  /** Belongs to a 416. */
  record Unsatisfied(long bytesTotal) implements ContentRange {
    public Unsatisfied {
      if (bytesTotal < 0) {
        throw new IllegalArgumentException("bytesTotal = " + bytesTotal + " must not be negative");
      }
    }

    @Override
    public String toString() {
      return "bytes */" + bytesTotal;
    }
  }

  static ContentRange of(ByteRange range, long bytesTotal) {
    return new Part(range, OptionalLong.of(bytesTotal));
  }

  /** Numbers of up to 18 digits: no representation comes near, and none of them overflows. */
  static ParseResult<ContentRange> parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      return ParseResult.bad("not a content range in bytes");
    }
    if (form.group(4) != null) {
      return ParseResult.ok(new Unsatisfied(Long.parseLong(form.group(4))));
    }
    long first = Long.parseLong(form.group(1));
    long last = Long.parseLong(form.group(2));
    long total = form.group(3).equals("*") ? -1 : Long.parseLong(form.group(3));
    if (last < first || (total >= 0 && total <= last)) {
      return ParseResult.bad("a content range ends before it starts or after the total");
    }
    return ParseResult.ok(
        new Part(
            new ByteRange(first, last), total < 0 ? OptionalLong.empty() : OptionalLong.of(total)));
  }
}
