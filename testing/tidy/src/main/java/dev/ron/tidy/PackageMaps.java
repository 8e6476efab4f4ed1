package dev.ron.tidy;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Asks every type of the product to stand on its package's map, word to file. */
final class PackageMaps implements Rule {

  @Override
  public String name() {
    return "map";
  }

  @Override
  public String why() {
    return "A map that leaves out the heart of the package sends a newcomer the wrong way.";
  }

  @Override
  public List<Finding> check(SourceTree tree) {
    var found = new ArrayList<Finding>();
    for (SourceFile file : Product.types(tree)) {
      String folder = file.path().substring(0, file.path().lastIndexOf('/'));
      String path = folder + "/package-info.java";
      var map = tree.file(path);
      if (map.isPresent() && !names(map.get(), Product.noun(file))) {
        found.add(new Finding(file.path(), 1, name(), "a line on the map in " + path));
      }
    }
    return found;
  }

  private static boolean names(SourceFile map, String noun) {
    return Pattern.compile("\\b" + noun + "\\b").matcher(map.text()).find();
  }
}
