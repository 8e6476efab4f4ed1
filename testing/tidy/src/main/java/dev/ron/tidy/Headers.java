package dev.ron.tidy;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreePath;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import javax.lang.model.element.Modifier;

/**
 * Asks every type to say in one sentence what it is, and every public class with state to say which
 * thread may touch it.
 */
final class Headers implements FileRule {
  // A block tag starts a line; an inline one such as {@code x} is part of the sentence.
  private static final Pattern BLOCK_TAGS = Pattern.compile("(?m)^\\s*@\\w[\\s\\S]*");
  private static final Pattern SENTENCE = Pattern.compile("\\S[.:](?:\\s|\\z|<)");
  private static final Pattern THREADING =
      Pattern.compile("^\\s*(?:<p>)?\\s*Threading:\\s*\\S", Pattern.MULTILINE);

  /** Final or not, a field of such a type changes. */
  private static final Pattern MUTABLE_TYPE =
      Pattern.compile(
          "Atomic\\w+|Long(?:Adder|Accumulator)|\\w*Lock|Condition|Semaphore|CountDownLatch"
              + "|\\w*(?:HashMap|TreeMap|HashSet|TreeSet|ArrayList|LinkedList|ArrayDeque|BitSet)"
              + "|(?:Array\\w+|Linked\\w+|Priority\\w*)Queue|ConcurrentMap|Deque|Queue");

  @Override
  public String name() {
    return "header";
  }

  @Override
  public String why() {
    return "The first sentence defines the thing; the Threading line says who owns it.";
  }

  @Override
  public List<Finding> check(SourceFile file) {
    if (!file.isMainJava() || file.fileName().endsWith("-info.java")) {
      return List.of();
    }
    var syntax = file.syntax();
    var found = new ArrayList<Finding>();
    for (TreePath type : syntax.types()) {
      var tree = (ClassTree) type.getLeaf();
      if (syntax.isTopLevel(type) && mustDefine(file) && !defines(syntax, type)) {
        found.add(
            finding(file, tree, "Javadoc whose first sentence says what it is, with a full stop"));
      }
      if (isPublicClass(tree) && hasState(tree) && !saysWhoOwns(syntax, type)) {
        found.add(
            finding(
                file,
                tree,
                "a Javadoc line `Threading: immutable | owned by X | guarded by L | thread-safe`"));
      }
    }
    return found;
  }

  private Finding finding(SourceFile file, ClassTree type, String wanted) {
    return new Finding(
        file.path(), file.syntax().line(type), name(), type.getSimpleName() + ": " + wanted);
  }

  private static boolean mustDefine(SourceFile file) {
    return file.isUnder("kernel") || file.isUnder("lib") || file.isUnder("services");
  }

  private static boolean defines(Syntax syntax, TreePath type) {
    return syntax
        .javadoc(type)
        .map(doc -> BLOCK_TAGS.matcher(doc).replaceFirst(""))
        .filter(doc -> SENTENCE.matcher(doc).find())
        .isPresent();
  }

  private static boolean isPublicClass(ClassTree type) {
    return type.getKind() == Tree.Kind.CLASS
        && type.getModifiers().getFlags().contains(Modifier.PUBLIC);
  }

  private static boolean hasState(ClassTree type) {
    return type.getMembers().stream()
        .anyMatch(member -> member instanceof VariableTree field && changes(field));
  }

  private static boolean changes(VariableTree field) {
    var flags = field.getModifiers().getFlags();
    var type = field.getType();
    String typeName = type == null ? "" : type.toString().replaceFirst("<.*", "");
    return !flags.contains(Modifier.FINAL)
        || MUTABLE_TYPE.matcher(typeName.substring(typeName.lastIndexOf('.') + 1)).matches();
  }

  /** On the class or on one around it, whose owner then is the owner of both. */
  private static boolean saysWhoOwns(Syntax syntax, TreePath type) {
    for (TreePath at = type; at != null; at = at.getParentPath()) {
      if (at.getLeaf() instanceof ClassTree
          && syntax.javadoc(at).filter(doc -> THREADING.matcher(doc).find()).isPresent()) {
        return true;
      }
    }
    return false;
  }
}
