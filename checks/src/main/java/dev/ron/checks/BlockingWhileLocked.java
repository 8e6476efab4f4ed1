package dev.ron.checks;

import static com.google.errorprone.BugPattern.LinkType.NONE;
import static com.google.errorprone.BugPattern.SeverityLevel.ERROR;

import com.google.errorprone.BugPattern;
import com.google.errorprone.VisitorState;
import com.google.errorprone.bugpatterns.BugChecker;
import com.google.errorprone.matchers.Description;
import com.google.errorprone.util.ASTHelpers;
import com.sun.source.tree.BlockTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.MemberReferenceTree;
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
 * A call that can block while a lock is held.
 *
 * <p>Whoever wants that lock then waits for a disk, a peer or a full queue, and two such waits make
 * a deadlock that no lock order prevents. What remains is to change state under the lock and to
 * wait outside it.
 *
 * <p>Threading: stateless.
 */
@BugPattern(
    summary =
        "A lock must not be held across a call that can block: copy the state out, unlock, then"
            + " block",
    severity = ERROR,
    linkType = NONE)
public final class BlockingWhileLocked extends BugChecker
    implements BugChecker.MethodTreeMatcher,
        BugChecker.ClassTreeMatcher,
        BugChecker.LambdaExpressionTreeMatcher,
        BugChecker.MemberReferenceTreeMatcher {
  private static final long serialVersionUID = 1;

  /** Called by Error Prone, which finds the class through META-INF/services. */
  public BlockingWhileLocked() {}

  @Override
  public Description matchMethod(MethodTree tree, VisitorState state) {
    MethodSymbol method = ASTHelpers.getSymbol(tree);
    boolean isSynchronized = method.getModifiers().contains(Modifier.SYNCHRONIZED);
    Held atStart = isSynchronized ? Held.NOTHING.plus(LockName.ofMonitor(method)) : Held.NOTHING;
    report(tree.getBody(), atStart, state);
    return Description.NO_MATCH;
  }

  /** Initializer blocks; field initializers hold no statement that could take a lock. */
  @Override
  public Description matchClass(ClassTree tree, VisitorState state) {
    for (Tree member : tree.getMembers()) {
      if (member instanceof BlockTree initializer) {
        report(initializer, Held.NOTHING, state);
      }
    }
    return Description.NO_MATCH;
  }

  @Override
  public Description matchLambdaExpression(LambdaExpressionTree tree, VisitorState state) {
    Optional<String> lock = LockCalls.heldToRun(state.getPath(), state);
    report(tree.getBody(), lock.map(Held.NOTHING::plus).orElse(Held.NOTHING), state);
    return Description.NO_MATCH;
  }

  @Override
  public Description matchMemberReference(MemberReferenceTree tree, VisitorState state) {
    LockCalls.heldToRun(state.getPath(), state)
        .ifPresent(lock -> reportIfBlocking(tree, Held.NOTHING.plus(lock), state));
    return Description.NO_MATCH;
  }

  private void report(@Nullable Tree body, Held atStart, VisitorState state) {
    Set<ExpressionTree> told = new HashSet<>();
    LockWalk.over(
        body,
        atStart,
        state,
        (call, held) -> {
          if (held.any() && !told.contains(call) && reportIfBlocking(call, held, state)) {
            told.add(call);
          }
        });
  }

  private boolean reportIfBlocking(ExpressionTree call, Held held, VisitorState state) {
    Optional<String> what = blocking(call, held, state);
    what.ifPresent(
        shown ->
            state.reportMatch(
                buildDescription(call)
                    .setMessage(
                        "%s can block while holding %s: copy the state out, unlock, then block"
                            .formatted(shown, held))
                    .build()));
    return what.isPresent();
  }

  private static Optional<String> blocking(ExpressionTree call, Held held, VisitorState state) {
    return blocking(call, held, state, new HashSet<>());
  }

  /** A body, and the locks that its caller holds. */
  private record Visit(MethodTree body, Set<String> locks) {}

  private static Optional<String> blocking(
      ExpressionTree call, Held held, VisitorState state, Set<Visit> seen) {
    if (blocksDirectly(call, held, state)) {
      return Optional.of(BlockingCalls.shown(call));
    }
    Optional<MethodTree> callee = Callee.of(call, state);
    if (callee.isEmpty() || !seen.add(new Visit(callee.get(), held.locks()))) {
      return Optional.empty();
    }
    List<String> inside = new ArrayList<>();
    LockWalk.over(
        callee.get().getBody(),
        held,
        state,
        (inner, innerHeld) -> {
          if (inside.isEmpty() && keepsAny(held, innerHeld)) {
            blocking(inner, innerHeld, state, seen).ifPresent(inside::add);
          }
        });
    return inside.stream()
        .findFirst()
        .map(inner -> BlockingCalls.shown(call) + " (it calls " + inner + ")");
  }

  /** A lock that the callee takes itself is reported there, not where it is called. */
  private static boolean keepsAny(Held atCall, Held inside) {
    return inside.locks().stream().anyMatch(atCall.locks()::contains);
  }

  private static boolean blocksDirectly(ExpressionTree call, Held held, VisitorState state) {
    return switch (BlockingCalls.how(call, state)) {
      case NONE -> false;
      case KEEPS_LOCKS -> held.any();
      case RELEASES_MONITOR -> held.minus(monitor(call, state)).any();
      case RELEASES_CONDITION -> held.locks().size() > 1;
    };
  }

  private static String monitor(ExpressionTree call, VisitorState state) {
    ExpressionTree object = ASTHelpers.getReceiver(call);
    return object == null ? LockName.ofOwnMonitor(state.getPath()) : LockName.ofMonitor(object);
  }
}
