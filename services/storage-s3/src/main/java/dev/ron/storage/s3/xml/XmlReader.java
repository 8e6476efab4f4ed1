package dev.ron.storage.s3.xml;

import dev.ron.http.Refusal;
import dev.ron.storage.s3.S3Fault;
import java.io.ByteArrayInputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Reads a request's document: small, without a document type, and so without entities.
 *
 * <p>Threading: stateless.
 */
public final class XmlReader {
  private static final int DEPTH_MAX = 16;

  /** The largest form names a thousand keys, each with three elements. */
  private static final int ELEMENTS_MAX = 64_000;

  private XmlReader() {}

  /**
   * @param root the name that the outermost element must have
   */
  public static XmlNode read(byte[] document, String root) throws Refusal {
    try {
      XMLStreamReader reader = factory().createXMLStreamReader(new ByteArrayInputStream(document));
      XmlNode node = read(reader);
      if (!node.name().equals(root)) {
        throw malformed("the document is a " + node.name() + ", not a " + root);
      }
      return node;
    } catch (XMLStreamException e) {
      throw malformed("the document is not well-formed XML");
    }
  }

  private static XmlNode read(XMLStreamReader reader) throws XMLStreamException, Refusal {
    Deque<XmlNode> open = new ArrayDeque<>();
    XmlNode root = null;
    int elements = 0;
    while (reader.hasNext()) {
      switch (reader.next()) {
        case XMLStreamConstants.START_ELEMENT -> {
          if (++elements > ELEMENTS_MAX || open.size() == DEPTH_MAX) {
            throw malformed("the document has too many elements");
          }
          XmlNode node = node(reader);
          if (open.isEmpty()) {
            root = node;
          } else {
            open.peek().add(node);
          }
          open.push(node);
        }
        case XMLStreamConstants.END_ELEMENT -> open.pop();
        case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> {
          if (!open.isEmpty()) {
            open.peek().add(reader.getText());
          }
        }
        case XMLStreamConstants.DTD, XMLStreamConstants.ENTITY_REFERENCE ->
            throw malformed("a document type or entity is not taken");
        default -> {
          // comments and white space say nothing
        }
      }
    }
    if (root == null) {
      throw malformed("the document is empty");
    }
    return root;
  }

  private static XmlNode node(XMLStreamReader reader) {
    var node = new XmlNode(reader.getLocalName());
    for (int i = 0; i < reader.getAttributeCount(); i++) {
      node.attribute(reader.getAttributeLocalName(i), reader.getAttributeValue(i));
    }
    return node;
  }

  private static XMLInputFactory factory() {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
    return factory;
  }

  private static Refusal malformed(String why) {
    return Refusal.of(new S3Fault.MalformedXML(why));
  }
}
