package dev.ron.tidy;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Refuses a relative link in a Markdown file that leads nowhere in the project. */
final class Links implements Rule {
  // [words](target "title"), or on a line of its own [label]: target
  private static final Pattern LINK =
      Pattern.compile(
          "\\]\\(\\s*<?(?<inline>[^)\\s>]+)>?[^)]*\\)|^ {0,3}\\[[^\\]^]+\\]:\\s*<?(?<label>[^\\s>]+)",
          Pattern.MULTILINE);
  private static final Pattern CODE =
      Pattern.compile(
          "^ *(```|~~~).*?(?:^ *\\1|\\z)|`[^`\\n]*`", Pattern.MULTILINE | Pattern.DOTALL);
  private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:.*");

  @Override
  public String name() {
    return "link";
  }

  @Override
  public String why() {
    return "A dead link says that nobody reads the page.";
  }

  @Override
  public List<Finding> check(SourceTree tree) {
    return tree.files().stream()
        .filter(file -> file.path().endsWith(".md"))
        .flatMap(file -> deadLinks(tree, file).stream())
        .toList();
  }

  private List<Finding> deadLinks(SourceTree tree, SourceFile file) {
    var found = new ArrayList<Finding>();
    // Blanked with as many spaces, line breaks kept, so that offsets stay true.
    String prose = CODE.matcher(file.text()).replaceAll(m -> m.group().replaceAll("[^\\n]", " "));
    var link = LINK.matcher(prose);
    while (link.find()) {
      String target = link.group("inline") != null ? link.group("inline") : link.group("label");
      if (target != null && !leadsSomewhere(tree, file, target)) {
        found.add(
            new Finding(
                file.path(), file.line(link.start()), name(), target + ": a file that is there"));
      }
    }
    return found;
  }

  private static boolean leadsSomewhere(SourceTree tree, SourceFile from, String target) {
    String path = target.replaceFirst("[#?].*", "");
    if (path.isEmpty() || SCHEME.matcher(target).matches() || target.startsWith("//")) {
      return true;
    }
    String plain = URLDecoder.decode(path.replace("+", "%2B"), StandardCharsets.UTF_8);
    Path here = Path.of("/" + from.path()).resolveSibling(plain).normalize();
    return tree.exists(here.toString().substring(1));
  }
}
