package dev.ron.tidy;

import java.util.List;
import java.util.function.Predicate;

/**
 * Where a rule applies.
 *
 * <p>Threading: immutable.
 */
record Place(Predicate<SourceFile> holds) {
  static final Place MAIN = new Place(SourceFile::isMainJava);
  static final Place TESTS = new Place(SourceFile::isTestJava);

  /** Not in these modules, whose work it is. */
  Place outside(String... folders) {
    var excluded = List.of(folders);
    return new Place(holds.and(file -> excluded.stream().noneMatch(file::isUnder)));
  }

  /** Only in this module or the modules under this folder. */
  Place inside(String folder) {
    return new Place(holds.and(file -> file.isUnder(folder)));
  }

  /** Only in packages with this step in their name. */
  Place inPackagesNamed(String step) {
    return new Place(holds.and(f -> List.of(f.packageName().split("\\.", -1)).contains(step)));
  }

  /** Here or there. */
  Place or(Place other) {
    return new Place(holds.or(other.holds));
  }

  boolean has(SourceFile file) {
    return holds.test(file);
  }
}
