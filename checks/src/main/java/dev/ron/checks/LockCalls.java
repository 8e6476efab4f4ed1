package dev.ron.checks;

import com.google.errorprone.VisitorState;
import com.google.errorprone.util.ASTHelpers;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.TypeCastTree;
import com.sun.source.util.TreePath;
import com.sun.tools.javac.code.Symbol.MethodSymbol;
import java.util.Optional;
import java.util.Set;

/**
 * The calls that take and give back a lock.
 *
 * <p>Threading: stateless.
 */
final class LockCalls {
  private static final String LOCK = "java.util.concurrent.locks.Lock";
  private static final String RANKED_LOCK = "dev.ron.kernel.lock.RankedLock";
  private static final Set<String> RUN_HOLDING = Set.of("run", "call", "holding");

  /** What a call does to the lock it is made on. */
  enum Effect {
    NONE,
    TAKES,
    /** Takes the lock if it answers true. */
    MAY_TAKE,
    GIVES_BACK
  }

  private LockCalls() {}

  static Effect effect(MethodInvocationTree call, VisitorState state) {
    MethodSymbol method = ASTHelpers.getSymbol(call);
    Effect named =
        switch (method.getSimpleName().toString()) {
          case "lock", "lockInterruptibly" -> Effect.TAKES;
          case "tryLock" -> Effect.MAY_TAKE;
          case "unlock" -> Effect.GIVES_BACK;
          default -> Effect.NONE;
        };
    return named != Effect.NONE && isLock(method, state) ? named : Effect.NONE;
  }

  /** Whether taking the lock this way waits for a time that the caller meant to spend. */
  static boolean waits(MethodInvocationTree call, VisitorState state) {
    MethodSymbol method = ASTHelpers.getSymbol(call);
    return switch (effect(call, state)) {
      case TAKES -> method.getSimpleName().contentEquals("lockInterruptibly");
      case MAY_TAKE -> !method.getParameters().isEmpty();
      case NONE, GIVES_BACK -> false;
    };
  }

  static String name(MethodInvocationTree call) {
    ExpressionTree receiver = ASTHelpers.getReceiver(call);
    return receiver == null
        ? ASTHelpers.getSymbol(call).owner.getSimpleName() + ".this"
        : LockName.of(receiver);
  }

  /** The lock that is held while the lambda or method reference at the end of {@code path} runs. */
  static Optional<String> heldToRun(TreePath path, VisitorState state) {
    TreePath around = path.getParentPath();
    while (around.getLeaf() instanceof ParenthesizedTree
        || around.getLeaf() instanceof TypeCastTree) {
      around = around.getParentPath();
    }
    if (!(around.getLeaf() instanceof MethodInvocationTree call)) {
      return Optional.empty();
    }
    return runsRanked(call, state) ? Optional.of(name(call)) : Optional.empty();
  }

  /** Whether the call runs what it is given under a lock with a rank. */
  static boolean runsRanked(MethodInvocationTree call, VisitorState state) {
    MethodSymbol method = ASTHelpers.getSymbol(call);
    return RUN_HOLDING.contains(method.getSimpleName().toString())
        && Ancestry.has(method.owner.type, RANKED_LOCK, state);
  }

  private static boolean isLock(MethodSymbol method, VisitorState state) {
    return Ancestry.has(method.owner.type, LOCK, state)
        || Ancestry.has(method.owner.type, RANKED_LOCK, state);
  }
}
