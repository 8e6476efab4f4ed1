package dev.ron.checks;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreeScanner;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The calls that a body makes itself: not those of a lambda or a class that it merely creates.
 *
 * <p>Threading: one thread, for one body.
 */
final class DirectCalls extends TreeScanner<@Nullable Void, @Nullable Void> {
  private final Consumer<ExpressionTree> each;

  private DirectCalls(Consumer<ExpressionTree> each) {
    this.each = each;
  }

  static void forEach(@Nullable Tree body, Consumer<ExpressionTree> each) {
    new DirectCalls(each).scan(body, null);
  }

  @Override
  public @Nullable Void visitMethodInvocation(MethodInvocationTree call, @Nullable Void unused) {
    super.visitMethodInvocation(call, null);
    each.accept(call);
    return null;
  }

  @Override
  public @Nullable Void visitNewClass(NewClassTree call, @Nullable Void unused) {
    scan(call.getEnclosingExpression(), null);
    scan(call.getArguments(), null);
    each.accept(call);
    return null;
  }

  @Override
  public @Nullable Void visitLambdaExpression(LambdaExpressionTree lambda, @Nullable Void unused) {
    return null;
  }

  @Override
  public @Nullable Void visitClass(ClassTree type, @Nullable Void unused) {
    return null;
  }
}
