package dev.ron.checks;

import static com.google.errorprone.BugPattern.LinkType.NONE;
import static com.google.errorprone.BugPattern.SeverityLevel.ERROR;

import com.google.errorprone.BugPattern;
import com.google.errorprone.VisitorState;
import com.google.errorprone.bugpatterns.BugChecker;
import com.google.errorprone.matchers.Description;
import com.google.errorprone.util.ASTHelpers;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.tools.javac.code.Symbol.MethodSymbol;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.lang.model.element.Modifier;
import org.jspecify.annotations.Nullable;

/**
 * A lock that is taken while another one is held.
 *
 * <p>A lock is a leaf, or it has a rank: ranked ones are taken in rising order, which {@code
 * LockOrder} asserts. Nothing orders two plain locks, so a thread that holds one may take no other
 * of its module. Calls are followed to any depth in the module; a lock of a module below is taken
 * after those above, because modules depend on each other in one direction.
 *
 * <p>Threading: stateless.
 */
@BugPattern(
    summary = "A plain lock is a leaf: unlock before taking another, or give both a rank",
    severity = ERROR,
    linkType = NONE)
public final class LockWhileLocked extends BugChecker
    implements BugChecker.MethodTreeMatcher, BugChecker.LambdaExpressionTreeMatcher {
  private static final long serialVersionUID = 1;

  /** Called by Error Prone, which finds the class through META-INF/services. */
  public LockWhileLocked() {}

  @Override
  public Description matchMethod(MethodTree tree, VisitorState state) {
    MethodSymbol method = ASTHelpers.getSymbol(tree);
    boolean isSynchronized = method.getModifiers().contains(Modifier.SYNCHRONIZED);
    Held atStart = isSynchronized ? Held.NOTHING.plus(LockName.ofMonitor(method)) : Held.NOTHING;
    report(tree.getBody(), atStart, Set.of(), state);
    return Description.NO_MATCH;
  }

  @Override
  public Description matchLambdaExpression(LambdaExpressionTree tree, VisitorState state) {
    Optional<String> ranked = LockCalls.heldToRun(state.getPath(), state);
    Held atStart = ranked.map(Held.NOTHING::plus).orElse(Held.NOTHING);
    report(tree.getBody(), atStart, atStart.locks(), state);
    return Description.NO_MATCH;
  }

  private void report(@Nullable Tree body, Held atStart, Set<String> ranked, VisitorState state) {
    Set<ExpressionTree> told = new HashSet<>();
    LockWalk.over(
        body,
        atStart,
        state,
        (call, held) -> {
          if (held.any() && told.add(call)) {
            taken(call, held, ranked, state, new HashSet<>())
                .ifPresent(
                    shown ->
                        state.reportMatch(
                            buildDescription(call)
                                .setMessage("%s while holding %s".formatted(shown, held))
                                .build()));
          }
        });
  }

  private static Optional<String> taken(
      ExpressionTree call, Held held, Set<String> ranked, VisitorState state, Set<Tree> seen) {
    if (call instanceof MethodInvocationTree invocation) {
      if (LockCalls.runsRanked(invocation, state)) {
        return ranked.containsAll(held.locks())
            ? Optional.empty()
            : Optional.of("runs under " + LockCalls.name(invocation));
      }
      if (LockCalls.effect(invocation, state) == LockCalls.Effect.TAKES) {
        String name = LockCalls.name(invocation);
        return held.locks().contains(name) ? Optional.empty() : Optional.of("takes " + name);
      }
    } else if (BlockingCalls.method(call) == null) {
      return Optional.of("takes " + LockName.ofMonitor(call));
    }
    Optional<MethodTree> callee = Callee.of(call, state);
    if (callee.isEmpty() || !seen.add(callee.get())) {
      return Optional.empty();
    }
    return inside(call, callee.get(), held, ranked, state, seen);
  }

  private static Optional<String> inside(
      ExpressionTree call,
      MethodTree callee,
      Held held,
      Set<String> ranked,
      VisitorState state,
      Set<Tree> seen) {
    MethodSymbol method = ASTHelpers.getSymbol(callee);
    if (method.getModifiers().contains(Modifier.SYNCHRONIZED)
        && !held.locks().contains(LockName.ofMonitor(method))) {
      return Optional.of("takes " + LockName.ofMonitor(method));
    }
    List<String> found = new ArrayList<>();
    LockWalk.over(
        callee.getBody(),
        held,
        state,
        (inner, innerHeld) -> {
          boolean kept = innerHeld.locks().stream().anyMatch(held.locks()::contains);
          if (found.isEmpty() && kept) {
            taken(inner, innerHeld, ranked, state, seen).ifPresent(found::add);
          }
        });
    return found.stream().findFirst().map(what -> BlockingCalls.shown(call) + " " + what);
  }
}
