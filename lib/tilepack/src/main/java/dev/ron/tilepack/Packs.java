package dev.ron.tilepack;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Opens packs.
 *
 * <p>Threading: stateless.
 */
public final class Packs {
  private Packs() {}

  /** A pack, or why there is none. */
  public sealed interface Opening {
    record Opened(Pack pack) implements Opening {}

    record Refused(PackFault fault) implements Opening {}
  }

  /** Which format it is, its first bytes tell, not its name. May wait for the disk. */
  public static Opening open(Path file, DirectoryCache cache) {
    PackBytes bytes;
    try {
      bytes = PackBytes.map(file);
    } catch (IOException failure) {
      return new Opening.Refused(new PackFault.Unreadable(String.valueOf(failure)));
    }
    Opening opening;
    try {
      opening =
          isSqlite(bytes)
              ? new Opening.Opened(MbtilesPack.open(file, bytes))
              : new Opening.Opened(PmtilesPack.open(bytes, cache));
    } catch (PackRefusal refused) {
      opening = new Opening.Refused(refused.fault());
    } catch (IOException failure) {
      opening = new Opening.Refused(new PackFault.Unreadable(String.valueOf(failure)));
    }
    if (opening instanceof Opening.Refused) {
      bytes.close();
    }
    return opening;
  }

  /** A PMTiles pack that is in memory; the bytes are not changed after they were handed over. */
  public static Opening open(byte[] pmtiles, DirectoryCache cache) {
    try {
      return new Opening.Opened(PmtilesPack.open(PackBytes.of(pmtiles), cache));
    } catch (PackRefusal refused) {
      return new Opening.Refused(refused.fault());
    } catch (IOException failure) {
      return new Opening.Refused(new PackFault.Unreadable(String.valueOf(failure)));
    }
  }

  private static boolean isSqlite(PackBytes bytes) throws IOException {
    return bytes.size() >= MbtilesPack.MAGIC.length
        && Arrays.equals(bytes.read(0, MbtilesPack.MAGIC.length), MbtilesPack.MAGIC);
  }
}
