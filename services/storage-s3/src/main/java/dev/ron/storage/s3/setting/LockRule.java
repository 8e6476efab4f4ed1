package dev.ron.storage.s3.setting;

import dev.ron.http.Refusal;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.core.Retention;
import dev.ron.storage.s3.xml.XmlNode;
import dev.ron.storage.s3.xml.XmlReader;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.Set;

/**
 * The lock that every new version of a bucket gets.
 *
 * <p>Threading: immutable.
 */
public record LockRule(Retention.Mode mode, int days, int years) {
  /** A century, as AWS has it: a date beyond all calendars would fail every put. */
  private static final int DAYS_MAX = 36_500;

  private static final int YEARS_MAX = 100;

  /** A document that is about to be set. */
  public static byte[] checked(byte[] document) throws Refusal {
    Optional<LockRule> rule = read(document);
    if (rule.isPresent() && (rule.get().days > DAYS_MAX || rule.get().years > YEARS_MAX)) {
      throw Refusal.of(
          new S3Fault.InvalidRetentionPeriod(
              "a retention is of up to %d days or %d years".formatted(DAYS_MAX, YEARS_MAX)));
    }
    return document;
  }

  /** Empty if the document has no rule. */
  public static Optional<LockRule> read(byte[] document) throws Refusal {
    XmlNode root = XmlReader.read(document, "ObjectLockConfiguration");
    root.requireKnown(Set.of("ObjectLockEnabled", "Rule"));
    if (!root.text("ObjectLockEnabled").orElse("").equals("Enabled")) {
      throw Refusal.of(new S3Fault.MalformedXML("ObjectLockEnabled must be Enabled"));
    }
    Optional<XmlNode> rule = root.one("Rule");
    if (rule.isEmpty()) {
      return Optional.empty();
    }
    XmlNode usual =
        rule.get()
            .one("DefaultRetention")
            .orElseThrow(() -> Refusal.of(new S3Fault.MalformedXML("a rule has no retention")));
    int days = number(usual, "Days");
    int years = number(usual, "Years");
    if ((days == 0) == (years == 0)) {
      throw Refusal.of(new S3Fault.MalformedXML("a rule has either Days or Years"));
    }
    for (Retention.Mode mode : Retention.Mode.values()) {
      if (mode.name().equals(usual.text("Mode").orElse(""))) {
        return Optional.of(new LockRule(mode, days, years));
      }
    }
    throw Refusal.of(new S3Fault.MalformedXML("Mode is GOVERNANCE or COMPLIANCE"));
  }

  private static int number(XmlNode node, String name) throws Refusal {
    Optional<String> text = node.text(name);
    if (text.isEmpty()) {
      return 0;
    }
    int number;
    try {
      number = Integer.parseInt(text.get());
    } catch (NumberFormatException _) {
      throw Refusal.of(new S3Fault.MalformedXML(name + " is no number"));
    }
    if (number <= 0) {
      throw Refusal.of(new S3Fault.InvalidRetentionPeriod(name + " must be positive"));
    }
    return number;
  }

  /** The lock of a version that is stored now; rules of earlier builds may be for longer. */
  public Retention from(Instant now) {
    Instant until =
        now.atOffset(ZoneOffset.UTC)
            .plusDays(Math.min(days, DAYS_MAX))
            .plusYears(Math.min(years, YEARS_MAX))
            .toInstant();
    return new Retention(mode, until.toEpochMilli());
  }
}
