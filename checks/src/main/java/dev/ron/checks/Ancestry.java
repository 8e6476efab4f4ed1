package dev.ron.checks;

import com.google.errorprone.VisitorState;
import com.sun.tools.javac.code.Symbol;
import com.sun.tools.javac.code.Symbol.MethodSymbol;
import com.sun.tools.javac.code.Type;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a type or a method descends from, asked by name.
 *
 * <p>By name, because the checks are compiled before the kernel and lib/http and cannot refer to
 * their types; and because a module that lacks such a type has nothing to look up.
 *
 * <p>Threading: stateless.
 */
final class Ancestry {
  private Ancestry() {}

  /** Whether {@code type} is the class or interface of that qualified name, or a subtype of it. */
  static boolean has(@Nullable Type type, String qualifiedName, VisitorState state) {
    return of(type, state)
        .anyMatch(ancestor -> ancestor.tsym.getQualifiedName().contentEquals(qualifiedName));
  }

  /** Whether the type or an ancestor of it carries an annotation of that simple name. */
  static boolean annotated(@Nullable Type type, String simpleName, VisitorState state) {
    return of(type, state).anyMatch(ancestor -> carries(ancestor.tsym, simpleName));
  }

  /** Whether the method or one that it overrides carries an annotation of that simple name. */
  static boolean annotated(MethodSymbol method, String simpleName, VisitorState state) {
    return carries(method, simpleName)
        || state.getTypes().closure(method.owner.type).stream()
            .flatMap(ancestor -> overridden(method, ancestor.tsym, state))
            .anyMatch(above -> carries(above, simpleName));
  }

  /** Whether the method overrides one that a type of these names, or a subtype, declares. */
  static boolean overrides(MethodSymbol method, List<String> names, VisitorState state) {
    return state.getTypes().closure(method.owner.type).stream()
        .filter(ancestor -> !ancestor.tsym.equals(method.owner))
        .filter(ancestor -> names.stream().anyMatch(name -> has(ancestor, name, state)))
        .anyMatch(ancestor -> overridden(method, ancestor.tsym, state).findAny().isPresent());
  }

  private static Stream<Symbol> overridden(
      MethodSymbol method, Symbol ancestor, VisitorState state) {
    Stream.Builder<Symbol> found = Stream.builder();
    for (Symbol member : ancestor.members().getSymbolsByName(method.name)) {
      if (method.overrides(member, method.enclClass(), state.getTypes(), false)) {
        found.add(member);
      }
    }
    return found.build();
  }

  private static Stream<Type> of(@Nullable Type type, VisitorState state) {
    if (type == null || type.isPrimitiveOrVoid() || type.isErroneous()) {
      return Stream.empty();
    }
    Type bound = state.getTypes().skipTypeVars(type, false);
    boolean hasAncestors = bound.tsym instanceof Symbol.ClassSymbol && bound.isReference();
    return hasAncestors ? state.getTypes().closure(bound).stream() : Stream.empty();
  }

  private static boolean carries(Symbol symbol, String simpleName) {
    return symbol.getAnnotationMirrors().stream()
        .anyMatch(mirror -> mirror.type.tsym.getSimpleName().contentEquals(simpleName));
  }
}
