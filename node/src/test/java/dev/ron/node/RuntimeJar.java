package dev.ron.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * A jar of others that the distribution holds, as Maven resolved it.
 *
 * @param classifier empty for the plain jar
 */
record RuntimeJar(Path file, String group, String artifact, String version, String classifier) {
  private static final String REPOSITORY = "/repository/";

  /** From the list that the build writes beside the test classes, in the order of coordinates. */
  static List<RuntimeJar> all() throws IOException {
    String list = Files.readString(Path.of("target/runtime-classpath.txt")).strip();
    var jars = new ArrayList<RuntimeJar>();
    for (String path : Arrays.asList(list.split(":", -1))) {
      if (path.contains(REPOSITORY)) { // the project's own are folders and jars of the build
        jars.add(of(Path.of(path)));
      }
    }
    jars.sort(Comparator.comparing(RuntimeJar::coordinates));
    return jars;
  }

  private static RuntimeJar of(Path file) {
    Path version = file.getParent();
    Path artifact = version.getParent();
    String folder = artifact.getParent().toString();
    String group = folder.substring(folder.indexOf(REPOSITORY) + REPOSITORY.length());
    String bare = artifact.getFileName() + "-" + version.getFileName();
    String name = file.getFileName().toString();
    String rest = name.substring(bare.length(), name.length() - ".jar".length());
    return new RuntimeJar(
        file,
        group.replace('/', '.'),
        artifact.getFileName().toString(),
        version.getFileName().toString(),
        rest.isEmpty() ? "" : rest.substring(1));
  }

  String coordinates() {
    return group + ":" + artifact + ":" + version + (classifier.isEmpty() ? "" : ":" + classifier);
  }

  String sha256() throws Exception {
    var digest = MessageDigest.getInstance("SHA-256");
    return HexFormat.of().formatHex(digest.digest(Files.readAllBytes(file)));
  }

  /** What its pom, or the nearest parent that says so, calls its licences. */
  List<String> licences() throws Exception {
    Optional<Path> pom =
        Optional.of(file.resolveSibling(artifact + "-" + version + ".pom")).filter(Files::exists);
    for (int depth = 0; depth < 8 && pom.isPresent(); depth++) {
      Element project = parse(pom.get());
      List<String> found =
          children(project, "licenses").stream()
              .flatMap(licences -> children(licences, "license").stream())
              .flatMap(licence -> children(licence, "name").stream())
              .map(name -> name.getTextContent().strip())
              .toList();
      if (!found.isEmpty()) {
        return found;
      }
      pom = children(project, "parent").stream().findFirst().flatMap(this::parent);
    }
    return List.of();
  }

  private Optional<Path> parent(Element parent) {
    String id = text(parent, "artifactId");
    String number = text(parent, "version");
    String path = file.toString();
    return Optional.of(
            Path.of(path.substring(0, path.indexOf(REPOSITORY) + REPOSITORY.length()))
                .resolve(text(parent, "groupId").replace('.', '/'))
                .resolve(id)
                .resolve(number)
                .resolve(id + "-" + number + ".pom"))
        .filter(Files::exists);
  }

  private static Element parse(Path pom) throws Exception {
    var factory = DocumentBuilderFactory.newInstance();
    factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
    factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
    return factory.newDocumentBuilder().parse(pom.toFile()).getDocumentElement();
  }

  private static String text(Element of, String name) {
    return children(of, name).getFirst().getTextContent().strip();
  }

  private static List<Element> children(Element of, String name) {
    var found = new ArrayList<Element>();
    for (Node child = of.getFirstChild(); child != null; child = child.getNextSibling()) {
      if (child instanceof Element element && element.getTagName().equals(name)) {
        found.add(element);
      }
    }
    return found;
  }
}
