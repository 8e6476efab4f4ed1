package dev.ron.client.bucket;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * An element of a document that a server answered, by its local name.
 *
 * <p>The server is not trusted: a document type is refused, and with it every entity; depth and
 * count are limited.
 *
 * <p>Threading: immutable once read.
 */
final class AnswerElement {
  private static final int DEPTH_MAX = 12;

  /** A page names a thousand objects with about ten elements each. */
  private static final int ELEMENTS_MAX = 100_000;

  private final String name;
  private final List<AnswerElement> children = new ArrayList<>();
  private final StringBuilder text = new StringBuilder();

  private AnswerElement(String name) {
    this.name = name;
  }

  static AnswerElement read(byte[] document) throws IOException {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    try {
      return read(factory.createXMLStreamReader(new ByteArrayInputStream(document)));
    } catch (XMLStreamException bad) {
      throw new IOException("the server answered what is no XML: " + bad.getMessage(), bad);
    }
  }

  private static AnswerElement read(XMLStreamReader from) throws XMLStreamException, IOException {
    Deque<AnswerElement> open = new ArrayDeque<>();
    @Nullable AnswerElement root = null;
    int count = 0;
    while (from.hasNext()) {
      int event = from.next();
      if (event == XMLStreamConstants.START_ELEMENT) {
        if (++count > ELEMENTS_MAX || open.size() == DEPTH_MAX) {
          throw new IOException("the server answered a document with too many elements");
        }
        var element = new AnswerElement(from.getLocalName());
        if (open.isEmpty()) {
          root = element;
        } else {
          open.peek().children.add(element);
        }
        open.push(element);
      } else if (event == XMLStreamConstants.END_ELEMENT) {
        open.pop();
      } else if (from.isCharacters() && !open.isEmpty()) {
        open.peek().text.append(from.getText());
      }
    }
    if (root == null) {
      throw new IOException("the server answered an empty document");
    }
    return root;
  }

  String name() {
    return name;
  }

  List<AnswerElement> all(String child) {
    return children.stream().filter(each -> each.name.equals(child)).toList();
  }

  /** What the first child of that name says; empty text if there is none. */
  String text(String child) {
    return first(child).map(each -> each.text.toString()).orElse("");
  }

  Optional<AnswerElement> first(String child) {
    return children.stream().filter(each -> each.name.equals(child)).findFirst();
  }
}
