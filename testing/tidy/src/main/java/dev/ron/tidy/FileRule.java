package dev.ron.tidy;

import java.util.List;

/** A rule that needs to see one file at a time. */
public interface FileRule extends Rule {

  /** All places in the file that break the rule. */
  List<Finding> check(SourceFile file);

  @Override
  default List<Finding> check(SourceTree tree) {
    return tree.files().stream().flatMap(f -> check(f).stream()).toList();
  }
}
