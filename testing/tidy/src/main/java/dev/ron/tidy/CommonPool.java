package dev.ron.tidy;

import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import java.util.List;
import java.util.Set;

/** Refuses work handed to the JDK's common pool, which is what a missing executor means. */
final class CommonPool implements FileRule {
  private static final Set<String> STARTS = Set.of("supplyAsync", "runAsync");

  @Override
  public String name() {
    return "common-pool";
  }

  @Override
  public String why() {
    return "The common pool is shared by everything in the process and belongs to no supervisor.";
  }

  @Override
  public List<Finding> check(SourceFile file) {
    // Most files have neither word: no need to parse them for it.
    if (!file.isMainJava() || STARTS.stream().noneMatch(file.code()::contains)) {
      return List.of();
    }
    return file.syntax().calls().stream()
        .filter(call -> STARTS.contains(calledName(call)) && call.getArguments().size() < 2)
        .map(
            call ->
                new Finding(
                    file.path(),
                    file.syntax().line(call),
                    name(),
                    "a supervised Task, or an executor of our own as second argument"))
        .toList();
  }

  private static String calledName(MethodInvocationTree call) {
    ExpressionTree called = call.getMethodSelect();
    return switch (called) {
      case MemberSelectTree select -> select.getIdentifier().toString();
      case IdentifierTree name -> name.getName().toString();
      default -> "";
    };
  }
}
