package dev.ron.tilepack;

import java.util.ArrayList;
import java.util.Map;

/** Reads every hostile pack in a process with little memory; says what was not refused. */
final class HostileMain {
  private HostileMain() {}

  /** A pack is handed over by file, so that making a bomb does not count. */
  public static void main(String[] files) throws Exception {
    var wrong = new ArrayList<String>();
    var cache = new DirectoryCache(1 << 20);
    for (String line : files) {
      Map.Entry<String, String> lie = Map.entry(line.split("=", 2)[0], line.split("=", 2)[1]);
      String verdict =
          switch (Packs.open(java.nio.file.Path.of(lie.getKey()), cache)) {
            case Packs.Opening.Refused(PackFault fault) -> fault.code();
            case Packs.Opening.Opened(Pack pack) -> {
              try (pack) {
                yield SamplePacks.verdict(pack);
              }
            }
          };
      if (!verdict.startsWith(lie.getValue())) {
        wrong.add(line + " came to " + verdict);
      }
    }
    System.out.println("read " + files.length + ", wrong " + wrong);
    System.exit(wrong.isEmpty() ? 0 : 1);
  }
}
