package dev.ron.tidy;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreePath;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;

/**
 * Refuses gerunds and participles as names of nested types of the product.
 *
 * <p>A case of a sealed type may be one: {@code PutResult.Refused} is a noun with its adjective,
 * and is written so wherever it is named alone in a {@code switch}.
 */
final class NestedNames implements FileRule {
  /** What {@code wire} answers, in every service. */
  private static final Set<String> SKELETON = Set.of("Wired");

  @Override
  public String name() {
    return "nested-name";
  }

  @Override
  public String why() {
    return "A nested type is a thing as its file is; only the cases of a sealed type are adjectives.";
  }

  @Override
  public List<Finding> check(SourceFile file) {
    if (!Product.has(file)) {
      return List.of();
    }
    var syntax = file.syntax();
    Set<String> sealed =
        syntax.types().stream()
            .map(path -> (ClassTree) path.getLeaf())
            .filter(type -> type.getModifiers().getFlags().contains(Modifier.SEALED))
            .map(type -> type.getSimpleName().toString())
            .collect(Collectors.toSet());
    var found = new ArrayList<Finding>();
    for (TreePath path : syntax.types()) {
      var type = (ClassTree) path.getLeaf();
      String name = type.getSimpleName().toString();
      if (!syntax.isTopLevel(path)
          && Names.isVerbForm(name)
          && !SKELETON.contains(name)
          && !isCase(type, sealed)) {
        found.add(
            new Finding(
                file.path(),
                syntax.line(type),
                name(),
                name + ": a noun, neither a gerund nor a participle"));
      }
    }
    return found;
  }

  private static boolean isCase(ClassTree type, Set<String> sealed) {
    return Stream.concat(
            Stream.ofNullable(type.getExtendsClause()), type.getImplementsClause().stream())
        .map(Tree::toString)
        .map(parent -> parent.replaceAll("<.*", "").replaceAll(".*\\.", ""))
        .anyMatch(sealed::contains);
  }
}
