package dev.ron.http.server;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A bug as a log may show it: its classes and where it happened, not its messages.
 *
 * <p>Threading: immutable.
 */
final class BugTrace {
  private static final int PLACES_MAX = 12;
  private static final int CAUSES_MAX = 8;

  private BugTrace() {}

  /** The class of the bug and of each of its causes. */
  static String classes(Throwable bug) {
    return causes(bug).stream()
        .map(each -> each.getClass().getName())
        .collect(Collectors.joining(" < "));
  }

  /** The first lines of its stack, or of its cause's if it has none. */
  static String places(Throwable bug) {
    return causes(bug).stream()
        .map(Throwable::getStackTrace)
        .filter(stack -> stack.length > 0)
        .findFirst()
        .map(stack -> Stream.of(stack).limit(PLACES_MAX).map(StackTraceElement::toString))
        .orElse(Stream.of("unknown"))
        .collect(Collectors.joining(" < "));
  }

  private static List<Throwable> causes(Throwable bug) {
    var causes = new ArrayList<Throwable>();
    @Nullable Throwable each = bug;
    while (each != null && causes.size() < CAUSES_MAX) {
      causes.add(each);
      each = each.getCause();
    }
    return causes;
  }
}
