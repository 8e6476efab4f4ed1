package dev.ron.storage.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A Parquet file of DuckDB's, read where it lies. DuckDB's part for S3 is a file that it loads from
 * its own site; where that cannot be had, its requests are made here as they are known to be.
 */
@Timeout(60)
final class ParquetReadTest {
  private static final String KEY = "/parquet/numbers.parquet";
  private static final long EXPECTED = 100_000L * 99_999 / 2;
  private static final int STEP = 50_000;

  @TempDir private Path folder;

  private byte[] written(Statement duck) throws Exception {
    Path file = folder.resolve("numbers.parquet");
    duck.execute(
        "COPY (SELECT range AS n FROM range(100000)) TO '%s' (FORMAT parquet)".formatted(file));
    return Files.readAllBytes(file);
  }

  private static long sum(Statement duck, String file) throws SQLException {
    try (ResultSet rows = duck.executeQuery("SELECT sum(n) FROM '" + file + "'")) {
      assertThat(rows.next()).isTrue();
      return rows.getLong(1);
    }
  }

  @Test
  void aFileIsReadFromItsEndByRangesThatMustBeOfOneVersion() throws Exception {
    try (Connection open = DriverManager.getConnection("jdbc:duckdb:");
        Statement duck = open.createStatement();
        var rig = new DoorRig(folder.resolve("data"));
        HttpClient http = HttpClient.newHttpClient()) {
      byte[] file = written(duck);
      var client = new DoorClient(http, rig.port());
      client.put("/parquet", new byte[0]);
      assertThat(client.put(KEY, file)).isEqualTo(200);
      HttpResponse<byte[]> head = client.send("HEAD", KEY, new byte[0]);
      long size = head.headers().firstValueAsLong("content-length").orElseThrow();
      String tag = head.headers().firstValue("etag").orElseThrow();
      ByteBuffer tail = range(client, size - 8, size, tag).order(ByteOrder.LITTLE_ENDIAN);
      int footer = tail.getInt();
      assertThat(tail.getInt()).as("PAR1").isEqualTo(0x31524150);
      var whole = ByteBuffer.allocate((int) size);
      for (long from = 0; from < size - 8 - footer; from += STEP) {
        whole.put(range(client, from, Math.min(from + STEP, size - 8 - footer), tag));
      }
      whole.put(range(client, size - 8 - footer, size, tag));
      Path back = Files.write(folder.resolve("back.parquet"), whole.array());
      assertThat(sum(duck, back.toString())).isEqualTo(EXPECTED);
      assertThat(client.put(KEY, new byte[] {1})).isEqualTo(200);
      assertThat(client.send("GET", KEY, new byte[0], "range", "bytes=0-0", "if-match", tag))
          .as("a file that was replaced meanwhile")
          .matches(answer -> answer.statusCode() == 412);
    }
  }

  private static ByteBuffer range(DoorClient client, long from, long to, String tag)
      throws Exception {
    HttpResponse<byte[]> part =
        client.send(
            "GET",
            KEY,
            new byte[0],
            "range",
            "bytes=%d-%d".formatted(from, to - 1),
            "if-match",
            tag);
    assertThat(part.statusCode()).isEqualTo(206);
    assertThat(part.body()).hasSize((int) (to - from));
    return ByteBuffer.wrap(part.body());
  }

  @Test
  void duckDbReadsItByItself() throws Exception {
    try (Connection open = DriverManager.getConnection("jdbc:duckdb:");
        Statement duck = open.createStatement();
        var rig = new DoorRig(folder.resolve("data"));
        HttpClient http = HttpClient.newHttpClient()) {
      try {
        duck.execute("LOAD httpfs");
      } catch (SQLException absent) {
        assumeTrue(false, "NOT RUN: DuckDB has no httpfs here: " + absent.getMessage());
      }
      byte[] file = written(duck);
      var client = new DoorClient(http, rig.port());
      client.put("/parquet", new byte[0]);
      assertThat(client.put(KEY, file)).isEqualTo(200);
      duck.execute(
          """
          SET s3_endpoint='127.0.0.1:%d'; SET s3_access_key_id='%s'; SET s3_secret_access_key='%s';
          SET s3_region='us-east-1'; SET s3_url_style='path'; SET s3_use_ssl=false
          """
              .formatted(rig.port(), DoorRig.PAIR.accessKeyId(), DoorRig.PAIR.secret()));
      assertThat(sum(duck, "s3:/" + KEY)).isEqualTo(EXPECTED);
    }
  }
}
