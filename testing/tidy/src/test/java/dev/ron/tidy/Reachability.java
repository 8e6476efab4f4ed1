package dev.ron.tidy;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which compiled types a main can reach, by what each class names: calls, fields, signatures,
 * supertypes, annotations.
 *
 * <p>A type that only a test or a benchmark names is dead weight in the product. Types that are
 * loaded by their name are roots too, because no class names them.
 */
record Reachability(JavaClasses classes) {

  /** Top-level types that none of the roots reaches. */
  Set<String> unreachedFrom(Collection<String> roots) {
    var reached = new HashSet<String>();
    var waiting = new ArrayDeque<JavaClass>();
    for (String root : roots) {
      waiting.add(classes.get(root));
    }
    while (!waiting.isEmpty()) {
      JavaClass next = waiting.poll();
      if (!reached.add(next.getName())) {
        continue;
      }
      next.getDirectDependenciesFromSelf().stream()
          .map(dependency -> dependency.getTargetClass().getBaseComponentType())
          .filter(target -> classes.contain(target.getName()))
          .forEach(target -> waiting.add(classes.get(target.getName())));
      next.getEnclosingClass().ifPresent(waiting::add);
    }
    var unreached = new TreeSet<String>();
    for (JavaClass type : classes) {
      if (type.isTopLevelClass() && !type.getSimpleName().equals("package-info")) {
        unreached.add(type.getName());
      }
    }
    unreached.removeAll(reached);
    return unreached;
  }
}
