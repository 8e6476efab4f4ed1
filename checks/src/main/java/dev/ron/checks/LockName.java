package dev.ron.checks;

import com.google.errorprone.util.ASTHelpers;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreePath;
import com.sun.tools.javac.code.Symbol;
import com.sun.tools.javac.code.Symbol.MethodSymbol;

/**
 * The name of the lock that an expression stands for; it is also what the error message shows.
 *
 * <p>{@code lock}, {@code this.lock} and {@code Outer.this.lock} are one field and get one name. An
 * alias through another variable is not followed: it gets the name of that variable.
 *
 * <p>Threading: stateless.
 */
final class LockName {
  private LockName() {}

  static String of(ExpressionTree expression) {
    return switch (ASTHelpers.stripParentheses(expression)) {
      case IdentifierTree name -> ofIdentifier(name);
      case MemberSelectTree select -> ofSelect(select);
      case MethodInvocationTree call -> of(call.getMethodSelect()) + "()";
      case ExpressionTree other -> other.toString();
    };
  }

  /** The monitor of an object is another lock than the object, should that be one itself. */
  static String ofMonitor(ExpressionTree expression) {
    return "the monitor of " + of(expression);
  }

  /** The monitor that a {@code synchronized} method takes. */
  static String ofMonitor(MethodSymbol method) {
    return "the monitor of "
        + method.owner.getSimpleName()
        + (method.isStatic() ? ".class" : ".this");
  }

  /** The monitor of the object whose code is running at {@code path}. */
  static String ofOwnMonitor(TreePath path) {
    for (Tree around : path) {
      if (around instanceof ClassTree type) {
        return "the monitor of " + type.getSimpleName() + ".this";
      }
    }
    return "the monitor of this";
  }

  private static String ofIdentifier(IdentifierTree name) {
    Symbol symbol = ASTHelpers.getSymbol(name);
    return isMember(symbol) ? symbol.owner.getSimpleName() + "." + name.getName() : name.toString();
  }

  private static String ofSelect(MemberSelectTree select) {
    Symbol symbol = ASTHelpers.getSymbol(select);
    ExpressionTree qualifier = ASTHelpers.stripParentheses(select.getExpression());
    boolean isThisOrClass =
        select.getIdentifier().contentEquals("this")
            || select.getIdentifier().contentEquals("class");
    return isMember(symbol) && !isThisOrClass && isSelfOrType(qualifier)
        ? symbol.owner.getSimpleName() + "." + select.getIdentifier()
        : of(qualifier) + "." + select.getIdentifier();
  }

  private static boolean isSelfOrType(ExpressionTree qualifier) {
    String text = qualifier.toString();
    return text.equals("this")
        || text.equals("super")
        || text.endsWith(".this")
        || ASTHelpers.getSymbol(qualifier) instanceof Symbol.ClassSymbol;
  }

  private static boolean isMember(Symbol symbol) {
    return symbol.owner instanceof Symbol.ClassSymbol && !(symbol instanceof Symbol.ClassSymbol);
  }
}
