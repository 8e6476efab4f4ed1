package dev.ron.checks;

import com.sun.source.tree.BlockTree;
import com.sun.source.tree.BreakTree;
import com.sun.source.tree.CaseTree;
import com.sun.source.tree.ContinueTree;
import com.sun.source.tree.DefaultCaseLabelTree;
import com.sun.source.tree.DoWhileLoopTree;
import com.sun.source.tree.EnhancedForLoopTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.ForLoopTree;
import com.sun.source.tree.LabeledStatementTree;
import com.sun.source.tree.ReturnTree;
import com.sun.source.tree.StatementTree;
import com.sun.source.tree.SwitchExpressionTree;
import com.sun.source.tree.SwitchTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.WhileLoopTree;
import com.sun.source.tree.YieldTree;
import com.sun.source.util.TreeScanner;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The half of {@link LockWalk} that knows where control goes: loops, switches and jumps.
 *
 * <p>A loop is walked until another round would add no lock to those held at its head. There are
 * finitely many names, and rounds only ever add, so this ends; two rounds are the rule.
 *
 * <p>Threading: one thread, for one body.
 */
abstract class JumpWalk extends TreeScanner<@Nullable Void, @Nullable Void> {
  /** What is held on the way to {@code target}; no target means out of the body. */
  private record Jump(@Nullable Tree target, boolean again, Held held) {
    boolean arrives(Tree at, boolean forAnotherRound) {
      return at.equals(target) && again == forAnotherRound;
    }
  }

  /** What is held where the walk stands. */
  Held now;

  /** What may be held when an exception leaves the innermost try. */
  Held thrown = Held.UNREACHABLE;

  private List<Jump> jumps = new ArrayList<>();
  private final Deque<Tree> targets = new ArrayDeque<>();
  private final Map<String, Tree> labelled = new HashMap<>();

  JumpWalk(Held atStart) {
    this.now = atStart;
  }

  /** Walks a condition, leaves {@code now} as where it is true, answers what is held elsewhere. */
  abstract Held test(@Nullable ExpressionTree condition);

  final void mayThrow() {
    thrown = thrown.or(now);
  }

  /** Walks {@code body} so that every way out of it, of any kind, goes through {@code exit}. */
  final void enclosed(Runnable body, UnaryOperator<Held> exit) {
    Held thrownAround = thrown;
    List<Jump> jumpsAround = jumps;
    thrown = Held.UNREACHABLE;
    jumps = new ArrayList<>();
    body.run();
    Held end = now;
    List<Jump> leaving = jumps;
    Held escaping = thrown;
    jumps = jumpsAround;
    thrown = thrownAround;
    Held afterThrow = exit.apply(escaping);
    leaving.forEach(jump -> jumps.add(new Jump(jump.target, jump.again, exit.apply(jump.held))));
    thrown = thrown.or(afterThrow);
    now = exit.apply(end);
  }

  /**
   * What is held after a finally block that is entered holding {@code held}.
   *
   * <p>That the block itself may throw is left out: each unlock would then count as one that may
   * not have happened.
   */
  final Held through(@Nullable BlockTree last, Held held) {
    if (!held.reachable()) {
      return held;
    }
    Held thrownAround = thrown;
    now = held;
    scan(last, null);
    thrown = thrownAround;
    return now;
  }

  @Override
  public @Nullable Void visitWhileLoop(WhileLoopTree tree, @Nullable Void unused) {
    loop(tree, () -> test(tree.getCondition()), tree.getStatement(), List.of());
    return null;
  }

  @Override
  public @Nullable Void visitForLoop(ForLoopTree tree, @Nullable Void unused) {
    scan(tree.getInitializer(), null);
    loop(tree, () -> test(tree.getCondition()), tree.getStatement(), tree.getUpdate());
    return null;
  }

  @Override
  public @Nullable Void visitEnhancedForLoop(EnhancedForLoopTree tree, @Nullable Void unused) {
    scan(tree.getExpression(), null);
    loop(tree, () -> now, tree.getStatement(), List.of());
    return null;
  }

  @Override
  public @Nullable Void visitDoWhileLoop(DoWhileLoopTree tree, @Nullable Void unused) {
    Held head = now;
    Held before;
    Held exit;
    do {
      before = head;
      now = head;
      inside(tree, tree.getStatement());
      now = now.or(arriving(tree, true));
      exit = test(tree.getCondition()).or(arriving(tree, false));
      head = head.or(now);
    } while (!head.equals(before));
    now = exit;
    return null;
  }

  private interface Test {
    Held walk();
  }

  private void loop(Tree tree, Test test, Tree body, List<? extends Tree> update) {
    Held head = now;
    Held before;
    Held exit;
    do {
      before = head;
      now = head;
      exit = test.walk();
      inside(tree, body);
      now = now.or(arriving(tree, true));
      scan(update, null);
      exit = exit.or(arriving(tree, false));
      head = head.or(now);
    } while (!head.equals(before));
    now = exit;
  }

  @Override
  public @Nullable Void visitSwitch(SwitchTree tree, @Nullable Void unused) {
    scan(tree.getExpression(), null);
    boolean exhaustive = tree.getCases().stream().anyMatch(JumpWalk::isDefault);
    Held entry = now;
    choose(tree, tree.getCases());
    now = exhaustive ? now : now.or(entry);
    return null;
  }

  @Override
  public @Nullable Void visitSwitchExpression(SwitchExpressionTree tree, @Nullable Void unused) {
    scan(tree.getExpression(), null);
    choose(tree, tree.getCases());
    return null;
  }

  private void choose(Tree tree, List<? extends CaseTree> cases) {
    Held entry = now;
    Held exit = Held.UNREACHABLE;
    Held fallen = Held.UNREACHABLE;
    for (CaseTree one : cases) {
      now = entry.or(fallen);
      scan(one.getGuard(), null);
      if (one.getCaseKind() == CaseTree.CaseKind.RULE) {
        inside(tree, one.getBody());
        exit = exit.or(now);
      } else {
        targets.push(tree);
        scan(one.getStatements(), null);
        targets.pop();
        fallen = now;
      }
    }
    now = exit.or(fallen).or(arriving(tree, false));
  }

  private static boolean isDefault(CaseTree one) {
    return one.getLabels().stream().anyMatch(label -> label instanceof DefaultCaseLabelTree);
  }

  @Override
  public @Nullable Void visitLabeledStatement(LabeledStatementTree tree, @Nullable Void unused) {
    StatementTree statement = tree.getStatement();
    labelled.put(tree.getLabel().toString(), statement);
    scan(statement, null);
    now = now.or(arriving(statement, false));
    return null;
  }

  @Override
  public @Nullable Void visitBreak(BreakTree tree, @Nullable Void unused) {
    Tree target =
        tree.getLabel() == null
            ? nearest(around -> !(around instanceof SwitchExpressionTree))
            : labelled.get(tree.getLabel().toString());
    jump(target, false);
    return null;
  }

  @Override
  public @Nullable Void visitContinue(ContinueTree tree, @Nullable Void unused) {
    Tree target =
        tree.getLabel() == null
            ? nearest(around -> !isSwitch(around))
            : labelled.get(tree.getLabel().toString());
    jump(target, true);
    return null;
  }

  @Override
  public @Nullable Void visitYield(YieldTree tree, @Nullable Void unused) {
    super.visitYield(tree, null);
    jump(nearest(around -> around instanceof SwitchExpressionTree), false);
    return null;
  }

  @Override
  public @Nullable Void visitReturn(ReturnTree tree, @Nullable Void unused) {
    super.visitReturn(tree, null);
    jump(null, false);
    return null;
  }

  private static boolean isSwitch(Tree tree) {
    return tree instanceof SwitchTree || tree instanceof SwitchExpressionTree;
  }

  private void inside(Tree target, @Nullable Tree body) {
    targets.push(target);
    scan(body, null);
    targets.pop();
  }

  private @Nullable Tree nearest(Predicate<Tree> wanted) {
    return targets.stream().filter(wanted).findFirst().orElse(null);
  }

  private void jump(@Nullable Tree target, boolean again) {
    jumps.add(new Jump(target, again, now));
    now = Held.UNREACHABLE;
  }

  private Held arriving(Tree target, boolean again) {
    Held held = Held.UNREACHABLE;
    for (Jump jump : jumps) {
      held = jump.arrives(target, again) ? held.or(jump.held) : held;
    }
    jumps.removeIf(jump -> jump.arrives(target, again));
    return held;
  }
}
