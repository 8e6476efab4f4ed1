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
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.tools.javac.code.Symbol.MethodSymbol;
import com.sun.tools.javac.code.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A call that can block, in code that runs on an event loop.
 *
 * <p>One event loop serves thousands of connections, so all of them wait with it. Such code is what
 * a {@code dev.ron.http.server.Inline} or a handler of Netty overrides, what Netty's executors and
 * futures are given, or carries an annotation of the simple name {@code EventLoop} on the method,
 * on the type, or on what they override. Calls are followed from there. Constructors and static
 * methods run where the service is wired and may block, unless they carry the annotation
 * themselves.
 *
 * <p>Threading: stateless.
 */
@BugPattern(
    summary =
        "An event loop must not block: answer from memory, or make the handler a Blocking one",
    severity = ERROR,
    linkType = NONE)
public final class BlockingOnEventLoop extends BugChecker
    implements BugChecker.MethodTreeMatcher,
        BugChecker.LambdaExpressionTreeMatcher,
        BugChecker.MemberReferenceTreeMatcher {
  private static final long serialVersionUID = 1;

  /** What they declare runs on a loop: our handlers, and every handler of Netty. */
  private static final List<String> ON_LOOP =
      List.of("dev.ron.http.server.Inline", "io.netty.channel.ChannelHandler");

  private static final Pattern NETTY =
      Pattern.compile("io\\.netty\\.(channel|util\\.concurrent)\\..*");
  private static final String EVENT_LOOP = "EventLoop";

  /** Called by Error Prone, which finds the class through META-INF/services. */
  public BlockingOnEventLoop() {}

  @Override
  public Description matchMethod(MethodTree tree, VisitorState state) {
    MethodSymbol method = ASTHelpers.getSymbol(tree);
    boolean ofInstance = !method.isStatic() && !method.isConstructor();
    if (Ancestry.annotated(method, EVENT_LOOP, state)
        || (ofInstance && Ancestry.annotated(method.owner.type, EVENT_LOOP, state))
        || (ofInstance && Ancestry.overrides(method, ON_LOOP, state))) {
      report(tree.getBody(), state);
    }
    return Description.NO_MATCH;
  }

  @Override
  public Description matchLambdaExpression(LambdaExpressionTree tree, VisitorState state) {
    if (implementedOnLoop(tree, state)) {
      report(tree.getBody(), state);
    }
    return Description.NO_MATCH;
  }

  @Override
  public Description matchMemberReference(MemberReferenceTree tree, VisitorState state) {
    if (implementedOnLoop(tree, state)) {
      reportIfBlocking(tree, state);
    }
    return Description.NO_MATCH;
  }

  private static boolean runsOnLoop(@Nullable Type type, VisitorState state) {
    return ON_LOOP.stream().anyMatch(each -> Ancestry.has(type, each, state))
        || Ancestry.annotated(type, EVENT_LOOP, state);
  }

  /** The annotation may stand on the interface or on the one method that the lambda implements. */
  private static boolean implementedOnLoop(ExpressionTree function, VisitorState state) {
    Type type = ASTHelpers.getType(function);
    return runsOnLoop(type, state)
        || givenToLoop(state)
        || (type != null
            && state.getTypes().findDescriptorSymbol(type.tsym) instanceof MethodSymbol method
            && Ancestry.annotated(method, EVENT_LOOP, state));
  }

  /** What an executor, a future or a channel of Netty is given runs on its loop. */
  private static boolean givenToLoop(VisitorState state) {
    if (!(state.getPath().getParentPath().getLeaf() instanceof MethodInvocationTree call)) {
      return false;
    }
    Type on = ASTHelpers.getReceiverType(call);
    return on != null && NETTY.matcher(on.tsym.getQualifiedName()).matches();
  }

  private void report(@Nullable Tree body, VisitorState state) {
    DirectCalls.forEach(body, call -> reportIfBlocking(call, state));
  }

  private void reportIfBlocking(ExpressionTree call, VisitorState state) {
    blocking(call, state)
        .ifPresent(
            shown ->
                state.reportMatch(
                    buildDescription(call)
                        .setMessage(
                            "%s can block the event loop: answer from memory, or make the handler"
                                    .formatted(shown)
                                + " a Blocking one")
                        .build()));
  }

  private static Optional<String> blocking(ExpressionTree call, VisitorState state) {
    return blocking(call, state, new HashSet<>());
  }

  private static Optional<String> blocking(
      ExpressionTree call, VisitorState state, Set<MethodTree> seen) {
    if (blocksDirectly(call, state)) {
      return Optional.of(BlockingCalls.shown(call));
    }
    Optional<MethodTree> callee = Callee.of(call, state);
    if (callee.isEmpty() || !seen.add(callee.get())) {
      return Optional.empty();
    }
    List<String> inside = new ArrayList<>();
    DirectCalls.forEach(
        callee.get().getBody(),
        inner -> {
          if (inside.isEmpty()) {
            blocking(inner, state, seen).ifPresent(inside::add);
          }
        });
    return inside.stream()
        .findFirst()
        .map(inner -> BlockingCalls.shown(call) + " (it calls " + inner + ")");
  }

  /** Giving back one's lock while waiting is no excuse here: the loop itself is what is held. */
  private static boolean blocksDirectly(ExpressionTree call, VisitorState state) {
    return BlockingCalls.how(call, state) != BlockingCalls.Wait.NONE
        || (call instanceof MethodInvocationTree invocation && LockCalls.waits(invocation, state));
  }
}
