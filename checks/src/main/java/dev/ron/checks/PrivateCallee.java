package dev.ron.checks;

import com.google.errorprone.VisitorState;
import com.google.errorprone.util.ASTHelpers;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.tools.javac.code.Symbol.MethodSymbol;
import java.util.Optional;

/**
 * The one step that the checks follow a call: into a private method of the same file.
 *
 * <p>One step finds the usual case, a long method cut into named parts, and keeps every error
 * explicable from one screen. Deeper or wider, a method says it by carrying {@code @Blocking}.
 *
 * <p>Threading: stateless.
 */
final class PrivateCallee {
  private PrivateCallee() {}

  static Optional<MethodTree> of(ExpressionTree call, VisitorState state) {
    MethodSymbol method =
        switch (call) {
          case MethodInvocationTree invocation -> ASTHelpers.getSymbol(invocation);
          case MemberReferenceTree reference -> ASTHelpers.getSymbol(reference);
          default -> null;
        };
    return method != null && method.isPrivate()
        ? Optional.ofNullable(ASTHelpers.findMethod(method, state))
        : Optional.empty();
  }
}
