package dev.ron.tidy;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.MethodTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Refuses type names that name no thing, gerunds and participles among them, and the {@code get}
 * prefix.
 */
final class Names implements FileRule {
  private static final Pattern EMPTY_NOUN =
      Pattern.compile(".*(?:Manager|Helper|Utils?|Impl|Base|Data|Info)s?");

  /** Ends like a verb form but is a noun. */
  private static final Set<String> NOUNS =
      Set.of(
          "String",
          "Ring",
          "Thing",
          "Rounding",
          "Routing",
          "Encoding",
          "Coding",
          "Listing",
          "Setting",
          "Padding",
          "Posting",
          "Framing",
          "Holding",
          "Sighting",
          "Tagging",
          "Versioning",
          // The two kinds of handler are called Inline and Blocking.
          "Blocking",
          "Seed",
          "Feed",
          "Speed",
          "Need");

  private static final Pattern GETTER = Pattern.compile("get[A-Z]\\w*");

  @Override
  public String name() {
    return "name";
  }

  @Override
  public String why() {
    return "One noun, one file: the spec's word is the name, and a search finds it.";
  }

  @Override
  public List<Finding> check(SourceFile file) {
    if (!file.isMainJava()) {
      return List.of();
    }
    var syntax = file.syntax();
    var found = new ArrayList<Finding>();
    for (var path : syntax.types()) {
      var type = (ClassTree) path.getLeaf();
      if (EMPTY_NOUN.matcher(type.getSimpleName()).matches()) {
        found.add(
            new Finding(
                file.path(),
                syntax.line(type),
                name(),
                type.getSimpleName() + ": the spec's noun, without the empty last word"));
      }
      if (Product.has(file)
          && syntax.isTopLevel(path)
          && isVerbForm(type.getSimpleName().toString())) {
        found.add(
            new Finding(
                file.path(),
                syntax.line(type),
                name(),
                type.getSimpleName() + ": a noun, neither a gerund nor a participle"));
      }
    }
    for (MethodTree method : syntax.methods()) {
      if (GETTER.matcher(method.getName()).matches() && !overrides(method)) {
        found.add(
            new Finding(
                file.path(),
                syntax.line(method),
                name(),
                method.getName() + ": the noun alone, without get"));
      }
    }
    return found;
  }

  static boolean isVerbForm(String typeName) {
    String last = typeName.replaceAll(".*(?=[A-Z][a-z0-9]*$)", "");
    return last.matches("[A-Z][a-z]+(?:ing|ed)") && !NOUNS.contains(last);
  }

  /** A name that a supertype chose. */
  private static boolean overrides(MethodTree method) {
    return method.getModifiers().getAnnotations().stream()
        .anyMatch(a -> a.getAnnotationType().toString().matches("(?:java\\.lang\\.)?Override"));
  }
}
