package dev.ron.tidy;

import java.util.List;
import java.util.stream.Stream;

/** What ships to users: kernel, lib, services and node. */
final class Product {
  private static final List<String> FOLDERS = List.of("kernel", "lib", "services", "node");

  private Product() {}

  static boolean has(SourceFile file) {
    return file.isMainJava() && FOLDERS.stream().anyMatch(file::isUnder);
  }

  /** One file for each top-level type. */
  static List<SourceFile> types(SourceTree tree) {
    return types(tree.mainJava()).toList();
  }

  private static Stream<SourceFile> types(List<SourceFile> files) {
    return files.stream().filter(f -> has(f) && !f.fileName().endsWith("-info.java"));
  }

  /** The type a file is named after. */
  static String noun(SourceFile file) {
    return file.fileName().replace(".java", "");
  }
}
