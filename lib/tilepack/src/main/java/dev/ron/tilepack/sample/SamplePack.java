package dev.ron.tilepack.sample;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/**
 * The Ron Isles: the pack that is shown when there is no other.
 *
 * <p>The build makes it and puts it beside this class. What makes it does not ship: {@code
 * SampleMap}, among the tests.
 *
 * <p>Threading: stateless.
 */
public final class SamplePack {
  public static final String NAME = "sample";

  private static final String RESOURCE = "sample.pmtiles";

  private SamplePack() {}

  /** The pack the build made, about half a MiB. */
  public static byte[] bytes() throws IOException {
    try (InputStream made = SamplePack.class.getResourceAsStream(RESOURCE)) {
      return Objects.requireNonNull(made, RESOURCE).readAllBytes();
    }
  }
}
