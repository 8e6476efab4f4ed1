package dev.ron.tidy;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Keeps a package to one subject: past this many types it holds two, and the reader gets lost. */
final class Rooms implements Rule {
  static final int TYPES_MAX = 25;

  @Override
  public String name() {
    return "room";
  }

  @Override
  public String why() {
    return "A package is one subject that fits in mind; a drawer for everything is none.";
  }

  @Override
  public List<Finding> check(SourceTree tree) {
    var rooms = new TreeMap<String, List<SourceFile>>();
    for (SourceFile file : Product.types(tree)) {
      String folder = file.path().substring(0, file.path().lastIndexOf('/'));
      rooms.computeIfAbsent(folder, f -> new ArrayList<>()).add(file);
    }
    return rooms.values().stream()
        .filter(types -> types.size() > TYPES_MAX)
        .map(
            types ->
                new Finding(
                    types.getFirst().path(),
                    1,
                    name(),
                    types.size() + " types in " + types.getFirst().packageName() + ", at most 25"))
        .toList();
  }
}
