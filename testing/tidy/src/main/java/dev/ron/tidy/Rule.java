package dev.ron.tidy;

import java.util.List;

/** One thing the style asks for, with its reason, checked over the whole project. */
public interface Rule {

  /** The word the exemptions use for it. */
  String name();

  /** Why the rule is there: printed beside what it finds. */
  String why();

  /** All places that break the rule. */
  List<Finding> check(SourceTree tree);
}
