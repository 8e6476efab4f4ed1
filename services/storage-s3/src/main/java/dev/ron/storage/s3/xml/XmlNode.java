package dev.ron.storage.s3.xml;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An element of a request's document, by its local name.
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

  /** The first child of that name. */
  public Optional<XmlNode> first(String child) {
    return children.stream().filter(each -> each.name.equals(child)).findFirst();
  }

  /** What the first child of that name says. */
  public Optional<String> text(String child) {
    return first(child).map(XmlNode::text);
  }

  /** Without the white space around it. */
  public String text() {
    return text.toString().strip();
  }

  /** As it stands there; keys may begin with a space. */
  public String rawText() {
    return text.toString();
  }

  /** By local name. */
  public Optional<String> attribute(String attribute) {
    return Optional.ofNullable(attributes.get(attribute));
  }
}
