package dev.ron.tidy;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Map;
import java.util.Optional;

/**
 * Layering as the compiled classes show it: what the code uses, whatever the poms allow.
 *
 * @param root the package all modules lie in
 * @param moduleOf the folder of a module, by the steps of its package after the root
 */
record ClassLayering(String root, Map<String, String> moduleOf) {

  /** Our classes use our classes of the same module or of a layer below. */
  ArchRule pointsOneWay() {
    return classes()
        .that()
        .resideInAPackage(root + "..")
        .should(
            new ArchCondition<>("use only layers below their own") {
              @Override
              public void check(JavaClass from, ConditionEvents events) {
                for (var dependency : from.getDirectDependenciesFromSelf()) {
                  if (!allowed(from, dependency.getTargetClass())) {
                    events.add(SimpleConditionEvent.violated(from, dependency.getDescription()));
                  }
                }
              }
            })
        .allowEmptyShould(true);
  }

  /** The kernel is the JDK, the metrics client and the null annotations. */
  ArchRule kernelStandsAlone() {
    return classes()
        .that()
        .resideInAPackage(root + ".kernel..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            root + ".kernel..",
            "java..",
            "javax..",
            "io.prometheus..",
            "org.jspecify..",
            "com.google.errorprone.annotations..")
        .allowEmptyShould(true);
  }

  private boolean allowed(JavaClass from, JavaClass to) {
    var here = module(from);
    var there = module(to);
    if (here.isEmpty() || there.isEmpty() || here.equals(there)) {
      return true;
    }
    return Layer.isBeside(here.get(), there.get())
        || Layer.of(here.get()).orElseThrow().mayUse(Layer.of(there.get()).orElseThrow());
  }

  /** Of all modules whose package it lies in, the one with the longest. */
  private Optional<String> module(JavaClass type) {
    String name = type.getPackageName() + ".";
    if (!name.startsWith(root + ".")) {
      return Optional.empty();
    }
    String rest = name.substring(root.length() + 1);
    for (int end = rest.lastIndexOf('.'); end > 0; end = rest.lastIndexOf('.', end - 1)) {
      String module = moduleOf.get(rest.substring(0, end));
      if (module != null) {
        return Optional.of(module);
      }
    }
    return Optional.empty();
  }
}
