package dev.ron.checks;

import com.google.errorprone.VisitorState;
import com.google.errorprone.util.ASTHelpers;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.MethodTree;
import com.sun.tools.javac.code.Symbol.MethodSymbol;
import java.util.Optional;

/**
 * The body behind a call, which the checks follow to any depth.
 *
 * <p>A body is found if it is compiled together with the caller, so in the same module. What other
 * modules and interfaces do is told by what they declare: see {@link BlockingCalls}. A method that
 * is overridden elsewhere is taken for what it is where it is declared.
 *
 * <p>Threading: stateless.
 */
final class Callee {
  private Callee() {}

  static Optional<MethodTree> of(ExpressionTree call, VisitorState state) {
    MethodSymbol method = BlockingCalls.method(call);
    return method == null ? Optional.empty() : of(method, state);
  }

  static Optional<MethodTree> of(MethodSymbol method, VisitorState state) {
    MethodTree tree = ASTHelpers.findMethod(method, state);
    return tree == null || tree.getBody() == null ? Optional.empty() : Optional.of(tree);
  }
}
