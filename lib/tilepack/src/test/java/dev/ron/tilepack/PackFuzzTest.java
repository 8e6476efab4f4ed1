package dev.ron.tilepack;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whatever bytes a pack has, it is one that can be walked to its end, or refused. */
class PackFuzzTest {
  private static final int DIRECTORY_BYTES = 1 << 20;

  @FuzzTest(maxDuration = "2m")
  void pmtiles(byte[] bytes) {
    check(Packs.open(bytes, new DirectoryCache(DIRECTORY_BYTES)));
  }

  @FuzzTest(maxDuration = "2m")
  void mbtiles(byte[] bytes) throws IOException {
    Path file = Files.createTempFile("fuzz", ".mbtiles");
    try {
      Files.write(file, bytes);
      check(Packs.open(file, new DirectoryCache(DIRECTORY_BYTES)));
    } finally {
      Files.delete(file);
    }
  }

  private static void check(Packs.Opening opening) {
    switch (opening) {
      case Packs.Opening.Refused(PackFault fault) -> assertThat(fault.detail()).isNotEmpty();
      case Packs.Opening.Opened(Pack pack) -> {
        try (pack) {
          assertThat(pack.check().run()).isNotNull();
        }
      }
    }
  }
}
