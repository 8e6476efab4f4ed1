package dev.ron.tidy;

import java.io.StringReader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * What a module's {@code pom.xml} says about layering: its artifact and its dependencies.
 *
 * <p>Threading: immutable.
 */
record Pom(String module, String path, String artifact, List<Dependency> dependencies) {
  private static final String LINE = "line";

  /** One dependency the module itself declares, in whatever profile. */
  record Dependency(String group, String artifact, String scope, int line) {
    boolean isOurs() {
      return group.equals("dev.ron") || group.equals("${project.groupId}");
    }

    boolean isForTests() {
      return scope.equals("test");
    }
  }

  static Pom parse(SourceFile file) {
    var factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_COALESCING, true);
    try {
      return read(file, factory.createXMLStreamReader(new StringReader(file.text())));
    } catch (XMLStreamException e) {
      throw new IllegalArgumentException(file.path() + ": " + e.getMessage(), e);
    }
  }

  private static Pom read(SourceFile file, XMLStreamReader xml) throws XMLStreamException {
    var open = new ArrayDeque<String>();
    var fields = new HashMap<String, String>();
    var dependencies = new ArrayList<Dependency>();
    String artifact = "";
    while (xml.hasNext()) {
      int event = xml.next();
      if (event == XMLStreamConstants.START_ELEMENT) {
        open.addLast(xml.getLocalName());
        if (isDependency(open)) {
          fields.clear();
          fields.put(LINE, Integer.toString(xml.getLocation().getLineNumber()));
        }
      } else if (event == XMLStreamConstants.CHARACTERS) {
        fields.putIfAbsent(String.join("/", open), xml.getText().strip());
      } else if (event == XMLStreamConstants.END_ELEMENT) {
        String path = String.join("/", open);
        if (path.equals("project/artifactId")) {
          artifact = fields.getOrDefault(path, "");
        } else if (isDependency(open)) {
          dependencies.add(dependency(fields, path));
        }
        open.removeLast();
      }
    }
    int slash = file.path().lastIndexOf('/');
    String module = slash < 0 ? "" : file.path().substring(0, slash);
    return new Pom(module, file.path(), artifact, List.copyOf(dependencies));
  }

  private static Dependency dependency(Map<String, String> fields, String at) {
    return new Dependency(
        fields.getOrDefault(at + "/groupId", ""),
        fields.getOrDefault(at + "/artifactId", ""),
        fields.getOrDefault(at + "/scope", "compile"),
        Integer.parseInt(fields.getOrDefault(LINE, "1")));
  }

  private static boolean isDependency(ArrayDeque<String> open) {
    return open.getLast().equals("dependency")
        && !open.contains("dependencyManagement")
        && !open.contains("plugin");
  }
}
