package dev.ron.tilepack;

import dev.ron.tilepack.tile.TileCoord;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;

/**
 * An MBTiles file: a SQLite database with one row for each tile, its rows counted from the south.
 *
 * <p>Threading: thread-safe; as many queries at a time as {@link MbtilesQueries} has connections.
 */
public final class MbtilesPack implements Pack {
  static final byte[] MAGIC = "SQLite format 3\0".getBytes(StandardCharsets.US_ASCII);

  private final PackBytes bytes;
  private final MbtilesQueries queries;
  private final PackHeader header;
  private final PackMetadata metadata;

  private MbtilesPack(
      PackBytes bytes, MbtilesQueries queries, PackHeader header, PackMetadata metadata) {
    this.bytes = bytes;
    this.queries = queries;
    this.header = header;
    this.metadata = metadata;
  }

  static MbtilesPack open(Path file, PackBytes bytes) throws PackRefusal, IOException {
    MbtilesQueries queries = MbtilesQueries.open(file);
    try {
      Map<String, String> rows = queries.metadata();
      PackHeader header = MbtilesRows.header(rows, queries);
      return new MbtilesPack(bytes, queries, header, MbtilesRows.metadata(rows));
    } catch (PackRefusal | RuntimeException failure) {
      queries.close();
      throw failure;
    } catch (SQLException failure) {
      queries.close();
      throw new PackRefusal(refused(failure));
    } catch (InterruptedException interrupted) {
      queries.close();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", interrupted);
    }
  }

  private static PackFault refused(SQLException failure) {
    return new PackFault.BadDirectory("the database: " + failure.getMessage());
  }

  @Override
  public PackHeader header() {
    return header;
  }

  @Override
  public PackMetadata metadata() {
    return metadata;
  }

  @Override
  public TileLookup tile(TileCoord place) {
    if (!header.covers(place)) {
      return new TileLookup.Outside();
    }
    try {
      int rowFromSouth = (int) ((1L << place.zoom()) - 1 - place.y());
      byte[] stored = queries.tile(place.zoom(), place.x(), rowFromSouth);
      return stored.length == 0
          ? new TileLookup.Empty()
          : new TileLookup.Found(stored, MbtilesRows.compression(header.tileType(), stored));
    } catch (SQLException failure) {
      return new TileLookup.Broken(refused(failure));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return new TileLookup.Broken(new PackFault.Unreadable("interrupted"));
    }
  }

  @Override
  public PackBytes bytes() {
    return bytes;
  }

  @Override
  public PackCheck check() {
    return new PackCheck(bytes, this::checkDatabase);
  }

  private boolean checkDatabase() throws PackRefusal, IOException {
    try {
      String found = queries.quickCheck();
      if (!found.equals("ok")) {
        throw PackRefusal.directory("the database: " + found);
      }
      return false;
    } catch (SQLException failure) {
      throw new PackRefusal(refused(failure));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", interrupted);
    }
  }

  @Override
  public void close() {
    queries.close();
    bytes.close();
  }
}
