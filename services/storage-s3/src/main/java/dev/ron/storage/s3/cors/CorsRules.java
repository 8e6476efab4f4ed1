package dev.ron.storage.s3.cors;

import dev.ron.http.FieldText;
import dev.ron.http.Refusal;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.xml.XmlNode;
import dev.ron.storage.s3.xml.XmlReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The rules of a bucket for other origins; the first that fits counts.
 *
 * <p>Threading: immutable.
 */
public record CorsRules(List<CorsRule> rules) {
  private static final int RULES_MAX = 100;
  private static final int BYTES_MAX = 64 << 10;
  private static final Set<String> METHODS = Set.of("GET", "PUT", "POST", "DELETE", "HEAD");
  private static final Set<String> MEMBERS =
      Set.of(
          "ID", "AllowedOrigin", "AllowedMethod", "AllowedHeader", "ExposeHeader", "MaxAgeSeconds");

  public CorsRules {
    rules = List.copyOf(rules);
  }

  /** The same document if it has rules; refuses what is none. */
  public static byte[] checked(byte[] document) throws Refusal {
    read(document);
    return document;
  }

  static CorsRules read(byte[] document) throws Refusal {
    if (document.length > BYTES_MAX) {
      throw malformed("a CORS configuration has up to " + BYTES_MAX + " bytes");
    }
    XmlNode root = XmlReader.read(document, "CORSConfiguration");
    List<XmlNode> nodes = root.children();
    if (nodes.isEmpty() || nodes.size() > RULES_MAX) {
      throw malformed("a CORS configuration has 1 to " + RULES_MAX + " rules");
    }
    var rules = new ArrayList<CorsRule>();
    for (XmlNode node : nodes) {
      if (!node.name().equals("CORSRule")) {
        throw malformed(node.name() + " is not known in a CORS configuration");
      }
      rules.add(rule(node));
    }
    return new CorsRules(rules);
  }

  private static CorsRule rule(XmlNode node) throws Refusal {
    node.requireKnown(MEMBERS);
    List<String> origins = texts(node, "AllowedOrigin");
    List<String> methods = texts(node, "AllowedMethod");
    if (origins.isEmpty() || methods.isEmpty()) {
      throw malformed("a CORS rule has an AllowedOrigin and an AllowedMethod");
    }
    for (String method : methods) {
      if (!METHODS.contains(method)) {
        throw Refusal.of(
            new S3Fault.InvalidRequest(
                "Found unsupported HTTP method in CORS config. Unsupported method is " + method));
      }
    }
    List<String> exposed = texts(node, "ExposeHeader");
    if (!exposed.stream().allMatch(FieldText::isToken)) {
      throw Refusal.of(new S3Fault.InvalidRequest("an ExposeHeader is no name of a field"));
    }
    return new CorsRule(
        oneStar(origins), methods, oneStar(texts(node, "AllowedHeader")), exposed, maxAge(node));
  }

  private static List<String> texts(XmlNode node, String name) throws Refusal {
    var texts = new ArrayList<String>();
    for (XmlNode each : node.all(name)) {
      texts.add(each.text());
    }
    return texts;
  }

  private static List<String> oneStar(List<String> texts) throws Refusal {
    for (String text : texts) {
      if (text.indexOf('*') != text.lastIndexOf('*') || text.isEmpty()) {
        throw Refusal.of(
            new S3Fault.InvalidRequest(
                "an AllowedOrigin or AllowedHeader has one * at most: " + text));
      }
    }
    return texts;
  }

  private static long maxAge(XmlNode node) throws Refusal {
    Optional<String> text = node.text("MaxAgeSeconds");
    if (text.isEmpty()) {
      return -1;
    }
    try {
      int seconds = Integer.parseInt(text.get());
      if (seconds >= 0) {
        return seconds;
      }
    } catch (NumberFormatException _) {
      // refused as one that is negative is
    }
    throw malformed("MaxAgeSeconds is no number up to " + Integer.MAX_VALUE);
  }

  /** The first rule that allows it. */
  Optional<CorsRule> of(String origin, String method, List<String> asked) {
    return rules.stream().filter(rule -> rule.allows(origin, method, asked)).findFirst();
  }

  private static Refusal malformed(String why) {
    return Refusal.of(new S3Fault.MalformedXML(why));
  }
}
