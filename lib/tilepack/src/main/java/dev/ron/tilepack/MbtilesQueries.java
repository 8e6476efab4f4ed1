package dev.ron.tilepack;

import dev.ron.tilepack.tile.TileCoord;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.sqlite.ProgressHandler;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.Pragma;

/**
 * The few questions that are put to an untrusted MBTiles database.
 *
 * <p>Opened read-only and immutable: no lock, no journal, nothing is written beside it. A schema
 * may hold views that never end, so each query has a budget of work, and no value may be longer
 * than a tile. Connections are opened at once, so that a file that takes the name later is never
 * met.
 *
 * <p>Threading: thread-safe; a connection is lent to one thread at a time.
 */
final class MbtilesQueries implements AutoCloseable {
  /** A query holds a carrier thread while it runs; more would only take them from others. */
  private static final int CONNECTIONS = 2;

  /** SQLite counts the instructions of its own machine; a tile takes a few dozen. */
  private static final int WORK_STEP = 100_000;

  private static final int WORK_STEPS_MAX = 500;

  private static final int METADATA_ROWS_MAX = 1000;

  private final List<Line> all;
  private final BlockingQueue<Line> free = new ArrayBlockingQueue<>(CONNECTIONS);

  private MbtilesQueries(List<Line> all) {
    this.all = all;
    free.addAll(all);
  }

  static MbtilesQueries open(Path file) throws PackRefusal {
    var lines = new ArrayList<Line>();
    try {
      for (int i = 0; i < CONNECTIONS; i++) {
        lines.add(Line.open(file));
      }
      return new MbtilesQueries(List.copyOf(lines));
    } catch (SQLException failure) {
      lines.forEach(Line::close);
      throw PackRefusal.directory("the database cannot be opened: " + failure.getMessage());
    }
  }

  /** One connection and what its running query has cost so far. */
  private static final class Line extends ProgressHandler {
    private final Connection connection;
    private int steps;

    /** Not for the check of the whole file, whose work is in proportion to it. */
    private boolean bounded = true;

    Line(Connection connection) {
      this.connection = connection;
    }

    static Line open(Path file) throws SQLException {
      var config = new SQLiteConfig();
      config.setReadOnly(true);
      config.setPragma(Pragma.LIMIT_LENGTH, Integer.toString(PmtilesDirectory.TILE_BYTES_MAX));
      config.setPragma(Pragma.LIMIT_ATTACHED, "0");
      config.setPragma(Pragma.LIMIT_EXPR_DEPTH, "100");
      Connection connection =
          config.createConnection("jdbc:sqlite:" + file.toUri() + "?mode=ro&immutable=1");
      try (var hardening = connection.createStatement()) {
        hardening.execute("PRAGMA trusted_schema = OFF");
        hardening.execute("PRAGMA cell_size_check = ON");
        hardening.execute("PRAGMA query_only = ON");
        hardening.execute("PRAGMA mmap_size = 0");
        hardening.execute("PRAGMA cache_size = -2000");
      }
      var line = new Line(connection);
      ProgressHandler.setHandler(connection, WORK_STEP, line);
      return line;
    }

    void begin(boolean withinBudget) {
      steps = 0;
      bounded = withinBudget;
    }

    /** Not 0 ends the query with an exception. */
    @Override
    protected int progress() {
      steps++;
      return bounded && steps > WORK_STEPS_MAX ? 1 : 0;
    }

    void close() {
      try {
        connection.close();
      } catch (SQLException _) {
        // it was only read; there is nothing to lose
      }
    }
  }

  /** A question on a lent connection. */
  private interface Question<T> {
    T ask(Connection connection) throws SQLException, PackRefusal;
  }

  private <T> T on(boolean withinBudget, Question<T> question)
      throws SQLException, PackRefusal, InterruptedException {
    Line line = free.take();
    try {
      line.begin(withinBudget);
      return question.ask(line.connection);
    } finally {
      free.add(line);
    }
  }

  Map<String, String> metadata() throws SQLException, PackRefusal, InterruptedException {
    return on(
        true,
        connection -> {
          var rows = new LinkedHashMap<String, String>();
          try (PreparedStatement query =
                  connection.prepareStatement("SELECT name, value FROM metadata");
              ResultSet found = query.executeQuery()) {
            while (found.next()) {
              if (rows.size() == METADATA_ROWS_MAX) {
                throw new PackRefusal(new PackFault.BadMetadata("too many rows"));
              }
              String name = found.getString(1);
              String value = found.getString(2);
              if (name != null && value != null) {
                if (value.length() > PmtilesHeader.METADATA_BYTES_MAX) {
                  throw new PackRefusal(new PackFault.BadMetadata("a row is too long"));
                }
                rows.put(name, value);
              }
            }
          }
          return rows;
        });
  }

  /** Where the metadata does not say. */
  int zoom(boolean least) throws SQLException, PackRefusal, InterruptedException {
    String sql = "SELECT %s(zoom_level) FROM tiles".formatted(least ? "min" : "max");
    return on(
        true,
        connection -> {
          try (PreparedStatement query = connection.prepareStatement(sql);
              ResultSet found = query.executeQuery()) {
            int zoom = found.next() ? found.getInt(1) : 0;
            if (zoom < 0 || zoom > TileCoord.ZOOM_MAX) {
              throw new PackRefusal(new PackFault.BadMetadata("a tile of zoom " + zoom));
            }
            return zoom;
          }
        });
  }

  /** The bytes of a tile, none if there is no such tile. */
  byte[] tile(int zoom, int column, int row) throws SQLException, InterruptedException {
    try {
      return on(true, connection -> tile(connection, zoom, column, row));
    } catch (PackRefusal never) {
      throw new IllegalStateException(never);
    }
  }

  private static byte[] tile(Connection connection, int zoom, int column, int row)
      throws SQLException {
    try (PreparedStatement query =
        connection.prepareStatement(
            "SELECT tile_data FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?"
                + " LIMIT 1")) {
      query.setInt(1, zoom);
      query.setInt(2, column);
      query.setInt(3, row);
      try (ResultSet found = query.executeQuery()) {
        byte[] stored = found.next() ? found.getBytes(1) : null;
        return stored == null ? new byte[0] : stored;
      }
    }
  }

  /** SQLite's own look at every page; {@code ok}, or what it found first. */
  String quickCheck() throws SQLException, PackRefusal, InterruptedException {
    return on(
        false,
        connection -> {
          try (PreparedStatement query = connection.prepareStatement("PRAGMA quick_check(1)");
              ResultSet found = query.executeQuery()) {
            return found.next() ? found.getString(1) : "no answer";
          }
        });
  }

  @Override
  public void close() {
    all.forEach(Line::close);
  }
}
