package dev.ron.tidy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * Requires every package that ships to be null-marked and to say in its package-info which word
 * lives in which file.
 */
final class PackageHeaders implements Rule {

  @Override
  public String name() {
    return "package-info";
  }

  @Override
  public String why() {
    return "A newcomer starts at the package; NullAway checks only what is marked.";
  }

  @Override
  public List<Finding> check(SourceTree tree) {
    var folders = new LinkedHashMap<String, SourceFile>();
    for (SourceFile file : tree.mainJava()) {
      String folder = file.path().substring(0, file.path().lastIndexOf('/'));
      folders.putIfAbsent(folder, file);
    }
    var found = new ArrayList<Finding>();
    folders.forEach(
        (folder, first) -> {
          String path = folder + "/package-info.java";
          var info = tree.file(path);
          if (info.isEmpty()) {
            found.add(new Finding(first.path(), 1, name(), "write " + path + " with @NullMarked"));
            return;
          }
          if (!info.get().syntax().packageAnnotations().contains("NullMarked")) {
            found.add(new Finding(path, 1, name(), "@NullMarked above the package"));
          }
          if (!info.get().text().contains("/**")) {
            found.add(new Finding(path, 1, name(), "Javadoc: what it is for, word -> file"));
          }
        });
    return found;
  }
}
