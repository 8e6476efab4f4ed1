package dev.ron.storage.s3.lifecycle;

import dev.ron.http.Refusal;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.BucketSetting;
import dev.ron.storage.s3.core.ObjectVersion.Pair;
import dev.ron.storage.s3.names.NameView;
import dev.ron.storage.s3.xml.XmlNode;
import dev.ron.storage.s3.xml.XmlReader;
import dev.ron.storage.s3.xml.XmlWriter;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the lifecycle rules of a bucket, and refuses all that this server would not do.
 *
 * <p>There is one class of storage here, so a rule that moves objects to another is refused rather
 * than kept and never followed.
 *
 * <p>Threading: stateless.
 */
public final class LifecycleReader {
  private static final String ROOT = "LifecycleConfiguration";
  private static final int RULES_MAX = 1000;
  private static final int BYTES_MAX = 256 << 10;
  private static final int ID_CHARS_MAX = 255;
  private static final int DAYS_MAX = 100_000;
  private static final int NEWER_MAX = 100;
  private static final Set<String> RULE_MEMBERS =
      Set.of(
          "ID",
          "Status",
          "Prefix",
          "Filter",
          "Expiration",
          "NoncurrentVersionExpiration",
          "AbortIncompleteMultipartUpload");

  private static final Set<String> AND_MEMBERS =
      Set.of("Prefix", "Tag", "ObjectSizeGreaterThan", "ObjectSizeLessThan");
  private static final Set<String> FILTER_MEMBERS =
      Set.of("Prefix", "Tag", "ObjectSizeGreaterThan", "ObjectSizeLessThan", "And");

  private LifecycleReader() {}

  /** The same document, checked, with an id for each rule that has none. */
  public static byte[] checked(byte[] document) throws Refusal {
    byte[] named = named(document);
    read(named);
    return named;
  }

  private static byte[] named(byte[] document) throws Refusal {
    XmlNode root = root(document);
    XmlWriter xml = XmlWriter.document(ROOT);
    int number = 0;
    for (XmlNode rule : root.children()) {
      number++;
      xml.begin(rule.name());
      if (rule.text("ID").orElse("").isEmpty()) {
        xml.text("ID", "rule-" + number);
      }
      for (XmlNode child : rule.children()) {
        if (!child.name().equals("ID") || !child.text().isEmpty()) {
          copy(child, xml);
        }
      }
      xml.end();
    }
    return xml.bytes();
  }

  private static void copy(XmlNode node, XmlWriter xml) throws Refusal {
    if (node.children().isEmpty()) {
      xml.text(node.name(), node.rawText());
      return;
    }
    xml.begin(node.name());
    for (XmlNode child : node.children()) {
      copy(child, xml);
    }
    xml.end();
  }

  /** Those of a bucket. Rules of an earlier build that cannot be read delete nothing. */
  static Optional<List<LifecycleRule>> of(NameView view, Bucket bucket) {
    try {
      return view.setting(bucket.id(), BucketSetting.LIFECYCLE, LifecycleReader::read);
    } catch (Refusal _) {
      return Optional.empty();
    }
  }

  static List<LifecycleRule> read(byte[] document) throws Refusal {
    XmlNode root = root(document);
    List<XmlNode> nodes = root.children();
    if (nodes.isEmpty() || nodes.size() > RULES_MAX) {
      throw malformed("a lifecycle has 1 to " + RULES_MAX + " rules");
    }
    var rules = new ArrayList<LifecycleRule>();
    Set<String> ids = new HashSet<>();
    for (XmlNode node : nodes) {
      if (!node.name().equals("Rule")) {
        throw malformed(node.name() + " is not known in a " + ROOT);
      }
      LifecycleRule rule = rule(node);
      if (!ids.add(rule.id())) {
        throw Refusal.of(new S3Fault.InvalidArgument("Rule ID must be unique: " + rule.id()));
      }
      rules.add(rule);
    }
    return rules;
  }

  private static XmlNode root(byte[] document) throws Refusal {
    if (document.length > BYTES_MAX) {
      throw malformed("a lifecycle has up to " + BYTES_MAX + " bytes");
    }
    return XmlReader.read(document, ROOT);
  }

  private static LifecycleRule rule(XmlNode node) throws Refusal {
    if (node.one("Transition").isPresent() || node.one("NoncurrentVersionTransition").isPresent()) {
      throw Refusal.of(
          new S3Fault.InvalidRequest(
              "this server has one class of storage; a rule cannot move objects to another"));
    }
    node.requireKnown(RULE_MEMBERS);
    String id = node.text("ID").orElse("");
    if (id.length() > ID_CHARS_MAX) {
      throw Refusal.of(
          new S3Fault.InvalidArgument("ID length should not exceed allowed limit of 255"));
    }
    String status = node.text("Status").orElse("");
    if (!status.equals("Enabled") && !status.equals("Disabled")) {
      throw malformed("Status is Enabled or Disabled");
    }
    LifecycleFilter filter = filter(node);
    Optional<XmlNode> expiration = node.one("Expiration");
    Optional<XmlNode> noncurrent = node.one("NoncurrentVersionExpiration");
    Optional<XmlNode> abort = node.one("AbortIncompleteMultipartUpload");
    if (expiration.isEmpty() && noncurrent.isEmpty() && abort.isEmpty()) {
      throw malformed("a rule says at least one thing to do");
    }
    var rule =
        new LifecycleRule(
            id,
            status.equals("Enabled"),
            filter,
            expiration.isEmpty() ? 0 : number(expiration.get(), "Days", false, DAYS_MAX),
            expiration.isEmpty() ? 0 : date(expiration.get()),
            expiration.isPresent() && flag(expiration.get(), "ExpiredObjectDeleteMarker"),
            noncurrent.isEmpty() ? 0 : number(noncurrent.get(), "NoncurrentDays", true, DAYS_MAX),
            noncurrent.isEmpty()
                ? 0
                : number(noncurrent.get(), "NewerNoncurrentVersions", false, NEWER_MAX),
            abort.isEmpty() ? 0 : number(abort.get(), "DaysAfterInitiation", true, DAYS_MAX));
    requireSense(rule, expiration, noncurrent, abort);
    return rule;
  }

  private static void requireSense(
      LifecycleRule rule,
      Optional<XmlNode> expiration,
      Optional<XmlNode> noncurrent,
      Optional<XmlNode> abort)
      throws Refusal {
    if (expiration.isPresent()) {
      expiration.get().requireKnown(Set.of("Days", "Date", "ExpiredObjectDeleteMarker"));
      if (expiration.get().children().size() != 1) {
        throw malformed("an Expiration has Days, a Date or an ExpiredObjectDeleteMarker");
      }
    }
    if (noncurrent.isPresent()) {
      noncurrent.get().requireKnown(Set.of("NoncurrentDays", "NewerNoncurrentVersions"));
    }
    if (abort.isPresent()) {
      abort.get().requireKnown(Set.of("DaysAfterInitiation"));
    }
    boolean keyAlone = rule.filter().asksForKeyAlone();
    if (!keyAlone && (rule.expiredMarker() || rule.uploadDays() > 0)) {
      throw Refusal.of(
          new S3Fault.InvalidRequest(
              "delete markers and uploads have no tags or sizes that a rule could ask for"));
    }
  }

  /** By the older form a prefix, or a filter; what a filter names together must all fit. */
  private static LifecycleFilter filter(XmlNode rule) throws Refusal {
    Optional<XmlNode> filter = rule.one("Filter");
    Optional<XmlNode> prefix = rule.one("Prefix");
    if (filter.isPresent() == prefix.isPresent()) {
      throw malformed("a rule has either a Filter or a Prefix");
    }
    if (filter.isEmpty()) {
      return new LifecycleFilter(List.of(prefix.get().rawText()), List.of(), -1, -1);
    }
    filter.get().requireKnown(FILTER_MEMBERS);
    Optional<XmlNode> and = filter.get().one("And");
    var nodes = new ArrayList<XmlNode>();
    nodes.add(filter.get());
    if (and.isPresent()) {
      and.get().requireKnown(AND_MEMBERS);
      nodes.add(and.get());
    }
    var prefixes = new ArrayList<String>();
    var tags = new ArrayList<Pair>();
    long larger = -1;
    long smaller = -1;
    for (XmlNode node : nodes) {
      node.rawText("Prefix").ifPresent(prefixes::add);
      for (XmlNode tag : node.all("Tag")) {
        tag.requireKnown(Set.of("Key", "Value"));
        tags.add(new Pair(tag.text("Key").orElse(""), tag.text("Value").orElse("")));
      }
      larger = Math.max(larger, bytes(node, "ObjectSizeGreaterThan"));
      long less = bytes(node, "ObjectSizeLessThan");
      smaller = smaller < 0 || (less >= 0 && less < smaller) ? less : smaller;
    }
    return new LifecycleFilter(prefixes, tags, larger, smaller);
  }

  private static long bytes(XmlNode node, String name) throws Refusal {
    Optional<String> text = node.text(name);
    if (text.isEmpty()) {
      return -1;
    }
    long bytes;
    try {
      bytes = Long.parseLong(text.get());
    } catch (NumberFormatException _) {
      throw malformed(name + " is no number up to " + Long.MAX_VALUE);
    }
    if (bytes < 0) {
      throw Refusal.of(new S3Fault.InvalidArgument(name + " must not be negative"));
    }
    return bytes;
  }

  private static int number(XmlNode node, String name, boolean needed, int max) throws Refusal {
    Optional<String> text = node.text(name);
    if (text.isEmpty()) {
      if (needed) {
        throw malformed(name + " is missing");
      }
      return 0;
    }
    try {
      int number = Integer.parseInt(text.get());
      if (number > 0 && number <= max) {
        return number;
      }
    } catch (NumberFormatException _) {
      throw malformed(name + " is no number");
    }
    throw Refusal.of(
        new S3Fault.InvalidArgument("%s must be a number from 1 to %d".formatted(name, max)));
  }

  private static long date(XmlNode node) throws Refusal {
    Optional<String> text = node.text("Date");
    if (text.isEmpty()) {
      return 0;
    }
    try {
      long millis = OffsetDateTime.parse(text.get()).toInstant().toEpochMilli();
      if (millis > 0 && millis % Duration.ofDays(1).toMillis() == 0) {
        return millis;
      }
    } catch (DateTimeException _) {
      throw malformed("Date is not in ISO 8601 format");
    }
    throw Refusal.of(new S3Fault.InvalidArgument("'Date' must be at midnight GMT"));
  }

  private static boolean flag(XmlNode node, String name) throws Refusal {
    return switch (node.text(name).orElse("false")) {
      case "true" -> true;
      case "false" -> false;
      default -> throw malformed(name + " is true or false");
    };
  }

  private static Refusal malformed(String why) {
    return Refusal.of(new S3Fault.MalformedXML(why));
  }
}
