package dev.ron.checks;

import com.google.errorprone.VisitorState;
import com.google.errorprone.util.ASTHelpers;
import com.sun.source.tree.AssignmentTree;
import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.CatchTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.ConditionalExpressionTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.IfTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.SynchronizedTree;
import com.sun.source.tree.ThrowTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.TryTree;
import com.sun.source.tree.UnaryTree;
import com.sun.source.tree.VariableTree;
import com.sun.tools.javac.code.Symbol;
import com.sun.tools.javac.code.Symbol.MethodSymbol;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Walks one body in the order it runs and tells, for each call, which locks may be held there.
 *
 * <p>Branches, loops, jumps, exceptions and {@code finally} are followed, because the usual shape,
 * {@code lock(); try { .. } finally { unlock(); }}, is only understood by following them. A lambda
 * or class that the body creates is another body: it runs later, under other locks, unless a
 * collection, an optional or a stream is given it. A call is told more than once where a loop or a
 * {@code finally} is entered in more than one way.
 *
 * <p>Not followed: a second name for the same lock, a lock taken twice by its holder (the first
 * {@code unlock} ends it), a lock taken in another method.
 *
 * <p>Threading: one thread, for one body.
 */
final class LockWalk extends JumpWalk {
  private record Outcome(Held ifTrue, Held ifFalse) {
    Outcome negated() {
      return new Outcome(/* ifTrue= */ ifFalse, /* ifFalse= */ ifTrue);
    }

    Held either() {
      return ifTrue.or(ifFalse);
    }
  }

  private static final Pattern RUNS_AT_ONCE =
      Pattern.compile("java\\.lang\\.Iterable|java\\.util\\.(stream\\.)?[A-Z]\\w*");
  private static final Pattern FUNCTION =
      Pattern.compile("java\\.util\\.(function\\.\\w+|Comparator)");

  private final VisitorState state;
  private final BiConsumer<ExpressionTree, Held> each;

  /** Boolean variables that remember whether a {@code tryLock} got its lock. */
  private final Map<Symbol, String> attempts = new HashMap<>();

  private LockWalk(Held atStart, VisitorState state, BiConsumer<ExpressionTree, Held> each) {
    super(atStart);
    this.state = state;
    this.each = each;
  }

  static void over(
      @Nullable Tree body,
      Held atStart,
      VisitorState state,
      BiConsumer<ExpressionTree, Held> each) {
    new LockWalk(atStart, state, each).scan(body, null);
  }

  @Override
  public @Nullable Void visitMethodInvocation(MethodInvocationTree call, @Nullable Void unused) {
    super.visitMethodInvocation(call, null);
    switch (LockCalls.effect(call, state)) {
      case TAKES -> {
        tell(call);
        now = now.plus(LockCalls.name(call));
      }
      case MAY_TAKE -> now = now.plus(LockCalls.name(call));
      case GIVES_BACK -> now = now.minus(LockCalls.name(call));
      case NONE -> {
        runAtOnce(call);
        tell(call);
      }
    }
    return null;
  }

  @Override
  public @Nullable Void visitNewClass(NewClassTree call, @Nullable Void unused) {
    scan(call.getEnclosingExpression(), null);
    scan(call.getArguments(), null);
    tell(call);
    return null;
  }

  @Override
  public @Nullable Void visitLambdaExpression(LambdaExpressionTree lambda, @Nullable Void unused) {
    return null;
  }

  /**
   * What a collection or a stream is given to call runs before it returns, under the same locks.
   */
  private void runAtOnce(MethodInvocationTree call) {
    MethodSymbol method = ASTHelpers.getSymbol(call);
    boolean calls = RUNS_AT_ONCE.matcher(method.owner.getQualifiedName()).matches();
    for (int i = 0; calls && now.any() && i < call.getArguments().size(); i++) {
      var parameter = method.getParameters().get(Math.min(i, method.getParameters().size() - 1));
      boolean function = FUNCTION.matcher(parameter.type.tsym.getQualifiedName()).matches();
      if (function
          && ASTHelpers.stripParentheses(call.getArguments().get(i))
              instanceof LambdaExpressionTree lambda) {
        over(lambda.getBody(), now, state, each);
      }
    }
  }

  @Override
  public @Nullable Void visitClass(ClassTree type, @Nullable Void unused) {
    return null;
  }

  @Override
  public @Nullable Void visitSynchronized(SynchronizedTree tree, @Nullable Void unused) {
    scan(tree.getExpression(), null);
    String monitor = LockName.ofMonitor(tree.getExpression());
    if (now.locks().contains(monitor)) {
      scan(tree.getBlock(), null);
      return null;
    }
    tell(tree.getExpression());
    now = now.plus(monitor);
    enclosed(() -> scan(tree.getBlock(), null), held -> held.minus(monitor));
    return null;
  }

  @Override
  public @Nullable Void visitTry(TryTree tree, @Nullable Void unused) {
    enclosed(() -> tryAndCatch(tree), held -> through(tree.getFinallyBlock(), held));
    return null;
  }

  private void tryAndCatch(TryTree tree) {
    scan(tree.getResources(), null);
    scan(tree.getBlock(), null);
    Held end = now;
    Held caught = thrown;
    for (CatchTree handler : tree.getCatches()) {
      now = caught;
      scan(handler.getBlock(), null);
      end = end.or(now);
    }
    now = end;
  }

  @Override
  public @Nullable Void visitThrow(ThrowTree tree, @Nullable Void unused) {
    super.visitThrow(tree, null);
    mayThrow();
    now = Held.UNREACHABLE;
    return null;
  }

  @Override
  public @Nullable Void visitIf(IfTree tree, @Nullable Void unused) {
    Outcome outcome = outcome(tree.getCondition());
    now = outcome.ifTrue;
    scan(tree.getThenStatement(), null);
    Held end = now;
    now = outcome.ifFalse;
    scan(tree.getElseStatement(), null);
    now = end.or(now);
    return null;
  }

  @Override
  public @Nullable Void visitConditionalExpression(
      ConditionalExpressionTree tree, @Nullable Void unused) {
    Outcome outcome = outcome(tree.getCondition());
    now = outcome.ifTrue;
    scan(tree.getTrueExpression(), null);
    Held end = now;
    now = outcome.ifFalse;
    scan(tree.getFalseExpression(), null);
    now = end.or(now);
    return null;
  }

  @Override
  public @Nullable Void visitBinary(BinaryTree tree, @Nullable Void unused) {
    switch (tree.getKind()) {
      case CONDITIONAL_AND, CONDITIONAL_OR -> now = outcome(tree).either();
      default -> super.visitBinary(tree, null);
    }
    return null;
  }

  @Override
  public @Nullable Void visitVariable(VariableTree tree, @Nullable Void unused) {
    super.visitVariable(tree, null);
    remember(ASTHelpers.getSymbol(tree), tree.getInitializer());
    return null;
  }

  @Override
  public @Nullable Void visitAssignment(AssignmentTree tree, @Nullable Void unused) {
    super.visitAssignment(tree, null);
    Symbol variable = ASTHelpers.getSymbol(tree.getVariable());
    if (variable != null) {
      remember(variable, tree.getExpression());
    }
    return null;
  }

  @Override
  Held test(@Nullable ExpressionTree condition) {
    if (condition == null) {
      return Held.UNREACHABLE;
    }
    Outcome outcome = outcome(condition);
    now = outcome.ifTrue;
    return outcome.ifFalse;
  }

  private Outcome outcome(ExpressionTree condition) {
    return switch (ASTHelpers.stripParentheses(condition)) {
      case UnaryTree not when not.getKind() == Tree.Kind.LOGICAL_COMPLEMENT ->
          outcome(not.getExpression()).negated();
      case BinaryTree and when and.getKind() == Tree.Kind.CONDITIONAL_AND -> {
        Held left = test(and.getLeftOperand());
        Outcome right = outcome(and.getRightOperand());
        yield new Outcome(right.ifTrue, left.or(right.ifFalse));
      }
      case BinaryTree or when or.getKind() == Tree.Kind.CONDITIONAL_OR -> {
        Outcome left = outcome(or.getLeftOperand());
        now = left.ifFalse;
        Outcome right = outcome(or.getRightOperand());
        yield new Outcome(left.ifTrue.or(right.ifTrue), right.ifFalse);
      }
      case LiteralTree literal when Boolean.TRUE.equals(literal.getValue()) ->
          new Outcome(now, Held.UNREACHABLE);
      case MethodInvocationTree call when isAttempt(call) -> {
        scan(call, null);
        yield new Outcome(now, now.minus(LockCalls.name(call)));
      }
      case IdentifierTree name -> new Outcome(now, now.minus(lockOf(name)));
      case ExpressionTree other -> {
        scan(other, null);
        yield new Outcome(now, now);
      }
    };
  }

  private void remember(Symbol variable, @Nullable ExpressionTree value) {
    attempts.remove(variable);
    if (value != null
        && ASTHelpers.stripParentheses(value) instanceof MethodInvocationTree call
        && isAttempt(call)) {
      attempts.put(variable, LockCalls.name(call));
    }
  }

  private String lockOf(IdentifierTree variable) {
    return attempts.getOrDefault(ASTHelpers.getSymbol(variable), "");
  }

  private boolean isAttempt(MethodInvocationTree call) {
    return LockCalls.effect(call, state) == LockCalls.Effect.MAY_TAKE;
  }

  private void tell(ExpressionTree call) {
    mayThrow();
    each.accept(call, now);
  }
}
