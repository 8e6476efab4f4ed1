package dev.ron.tidy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;

/** Refuses a type name that another module or package of the product has already. */
final class UniqueNames implements Rule {

  @Override
  public String name() {
    return "name-twice";
  }

  @Override
  public String why() {
    return "One word means one thing in the whole product, so a search for it has one answer.";
  }

  @Override
  public List<Finding> check(SourceTree tree) {
    var first = new HashMap<String, SourceFile>();
    var found = new ArrayList<Finding>();
    for (SourceFile file : Product.types(tree)) {
      var before = first.putIfAbsent(Product.noun(file), file);
      if (before != null) {
        found.add(
            new Finding(
                file.path(), 1, name(), "a more exact noun: " + before.path() + " has this one"));
      }
    }
    return found;
  }
}
