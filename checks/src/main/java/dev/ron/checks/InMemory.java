package dev.ron.checks;

import com.google.errorprone.VisitorState;
import com.google.errorprone.util.ASTHelpers;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreeScanner;
import com.sun.tools.javac.code.Symbol;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Streams, readers and writers that never leave the heap, and therefore never block.
 *
 * <p>An encoder is often a {@code DataOutputStream} around a {@code ByteArrayOutputStream}, so what
 * a variable that never changes was first given is looked through, wrapper by wrapper.
 *
 * <p>Threading: stateless.
 */
final class InMemory {
  private static final List<String> TYPES =
      List.of(
          "java.io.ByteArrayInputStream",
          "java.io.ByteArrayOutputStream",
          "java.io.CharArrayReader",
          "java.io.CharArrayWriter",
          "java.io.StringReader",
          "java.io.StringWriter",
          "io.netty.buffer.ByteBufInputStream",
          "io.netty.buffer.ByteBufOutputStream");

  private InMemory() {}

  static boolean is(@Nullable ExpressionTree expression, VisitorState state) {
    if (expression == null) {
      return false;
    }
    ExpressionTree plain = ASTHelpers.stripParentheses(expression);
    if (TYPES.stream().anyMatch(name -> Ancestry.has(ASTHelpers.getType(plain), name, state))) {
      return true;
    }
    return switch (plain) {
      case NewClassTree wrapper ->
          !wrapper.getArguments().isEmpty() && is(wrapper.getArguments().getFirst(), state);
      case IdentifierTree _, MemberSelectTree _ -> is(firstValue(plain, state), state);
      default -> false;
    };
  }

  private static @Nullable ExpressionTree firstValue(ExpressionTree variable, VisitorState state) {
    Symbol symbol = ASTHelpers.getSymbol(variable);
    if (symbol == null || !ASTHelpers.isConsideredFinal(symbol)) {
      return null;
    }
    var declarations =
        new TreeScanner<@Nullable ExpressionTree, @Nullable Void>() {
          @Override
          public @Nullable ExpressionTree visitVariable(VariableTree tree, @Nullable Void unused) {
            return symbol.equals(ASTHelpers.getSymbol(tree))
                ? tree.getInitializer()
                : super.visitVariable(tree, null);
          }

          @Override
          public @Nullable ExpressionTree reduce(
              @Nullable ExpressionTree one, @Nullable ExpressionTree other) {
            return one == null ? other : one;
          }
        };
    return declarations.scan(state.getPath().getCompilationUnit(), null);
  }
}
