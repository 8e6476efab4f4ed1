package dev.ron.storage.s3.xml;

import dev.ron.http.Refusal;
import dev.ron.storage.s3.S3Fault;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * An element of a request's document, by its local name.
 *
 * <p>A second element where one is meant, and elements inside a text, are refused: what is not read
 * may be the half of a rule that keeps it from doing more.
 *
 * <p>Threading: immutable once read.
 */
public final class XmlNode {
  private final String name;
  private final Map<String, String> attributes = new HashMap<>();
  private final List<XmlNode> children = new ArrayList<>();
  private final StringBuilder text = new StringBuilder();

  XmlNode(String name) {
    this.name = name;
  }

  void attribute(String attribute, String value) {
    attributes.put(attribute, value);
  }

  void add(XmlNode child) {
    children.add(child);
  }

  void add(String more) {
    text.append(more);
  }

  public String name() {
    return name;
  }

  public List<XmlNode> children() {
    return List.copyOf(children);
  }

  public List<XmlNode> all(String child) {
    return children.stream().filter(each -> each.name.equals(child)).toList();
  }

  /** The child of that name; refuses two. */
  public Optional<XmlNode> one(String child) throws Refusal {
    List<XmlNode> found = all(child);
    if (found.size() > 1) {
      throw malformed("%s is there %d times in a %s".formatted(child, found.size(), name));
    }
    return found.stream().findFirst();
  }

  /** What the child of that name says; refuses two. */
  public Optional<String> text(String child) throws Refusal {
    Optional<XmlNode> found = one(child);
    return found.isEmpty() ? Optional.empty() : Optional.of(found.get().text());
  }

  /** What the child of that name says, as it stands there; refuses two. */
  public Optional<String> rawText(String child) throws Refusal {
    Optional<XmlNode> found = one(child);
    return found.isEmpty() ? Optional.empty() : Optional.of(found.get().rawText());
  }

  /** Without the white space around it. */
  public String text() throws Refusal {
    return rawText().strip();
  }

  /** As it stands there; keys may begin with a space. */
  public String rawText() throws Refusal {
    if (!children.isEmpty()) {
      throw malformed("%s is a text and has a %s in it".formatted(name, children.getFirst().name));
    }
    return text.toString();
  }

  /** Refuses a child of another name: what is not known would not be done. */
  public void requireKnown(Set<String> known) throws Refusal {
    for (XmlNode child : children) {
      if (!known.contains(child.name)) {
        throw malformed(child.name + " is not known in a " + name);
      }
    }
  }

  /** By local name. */
  public Optional<String> attribute(String attribute) {
    return Optional.ofNullable(attributes.get(attribute));
  }

  private static Refusal malformed(String why) {
    return Refusal.of(new S3Fault.MalformedXML(why));
  }
}
