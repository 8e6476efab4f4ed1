package dev.ron.rewarder.input;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.ron.rewarder.core.score.LineFault;
import dev.ron.rewarder.core.score.ScoreTable;
import dev.ron.rewarder.core.score.Tally;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Accounting as CSV: {@code actor,metric,units}, with an optional {@code shard} behind.
 *
 * <p>Fields may be quoted as RFC 4180 says; a quoted line break is refused, because no name has
 * one. The shard column is not used here and passed over.
 *
 * <p>Threading: owned by one worker.
 */
public final class CsvScanner implements LineScanner {
  private static final String HEADER = "actor,metric,units";
  private static final int NOT_USUAL = -1;

  private final boolean sharded;
  private final byte[] plain = new byte[4096];

  private CsvScanner(boolean sharded) {
    this.sharded = sharded;
  }

  /** For a first line that is a header of ours; empty for any other. */
  public static Optional<CsvScanner> forHeader(byte[] line, int from, int to) {
    int end = to > from && line[to - 1] == '\r' ? to - 1 : to;
    String header = new String(line, from, end - from, US_ASCII);
    return header.equals(HEADER)
        ? Optional.of(new CsvScanner(false))
        : header.equals(HEADER + ",shard") ? Optional.of(new CsvScanner(true)) : Optional.empty();
  }

  /** Another one for the same file. */
  public CsvScanner copy() {
    return new CsvScanner(sharded);
  }

  @Override
  public @Nullable LineFault scan(byte[] buffer, int from, int to, Tally tally) {
    long number = 0;
    for (int start = from; start < to; ) {
      number++;
      int next = sharded ? NOT_USUAL : usual(buffer, start, to, tally);
      if (next != NOT_USUAL) {
        start = next;
        continue;
      }
      int end = ByteSearch.indexOf(buffer, start, to, (byte) '\n');
      int last = end > start && buffer[end - 1] == '\r' ? end - 1 : end;
      String wrong = line(buffer, start, last, tally);
      if (wrong != null) {
        return new LineFault(number, wrong);
      }
      start = end + 1;
    }
    return null;
  }

  /**
   * A line of plain text in one pass over its bytes, as nearly all are.
   *
   * @return where the next line begins, or {@link #NOT_USUAL} to look at it closely
   */
  private static int usual(byte[] buffer, int from, int to, Tally tally) {
    int actorEnd = ByteSearch.plainEnd(buffer, from, to);
    if (actorEnd >= to
        || buffer[actorEnd] != ','
        || actorEnd == from
        || actorEnd - from > ScoreTable.ACTOR_BYTES_MAX) {
      return NOT_USUAL;
    }
    int metricEnd = ByteSearch.plainEnd(buffer, actorEnd + 1, to);
    if (metricEnd >= to || buffer[metricEnd] != ',') {
      return NOT_USUAL;
    }
    int metric = tally.metric(buffer, actorEnd + 1, metricEnd);
    int unitsFrom = metricEnd + 1;
    int unitsEnd = ByteSearch.digitsEnd(buffer, unitsFrom, to);
    int digits = unitsEnd - unitsFrom;
    if (metric == Tally.UNKNOWN
        || unitsEnd >= to
        || buffer[unitsEnd] != '\n'
        || digits == 0
        || (digits > 1 && buffer[unitsFrom] == '0')) {
      return NOT_USUAL;
    }
    tally.line(buffer, from, actorEnd, metric, ByteSearch.number(buffer, unitsFrom, digits));
    return unitsEnd + 1;
  }

  private @Nullable String line(byte[] buffer, int from, int to, Tally tally) {
    int actorEnd = ByteSearch.indexOf(buffer, from, to, (byte) ',');
    int metricEnd = actorEnd < to ? ByteSearch.indexOf(buffer, actorEnd + 1, to, (byte) ',') : to;
    int unitsEnd =
        metricEnd < to && sharded ? ByteSearch.indexOf(buffer, metricEnd + 1, to, (byte) ',') : to;
    if (metricEnd >= to || (sharded && unitsEnd >= to)) {
      return sharded ? "not four fields" : "not three fields";
    }
    if (hasQuote(buffer, from, to)) {
      return quoted(buffer, from, to, tally);
    }
    String wrong = ActorName.wrong(buffer, from, actorEnd);
    if (wrong != null) {
      return wrong;
    }
    int last = sharded ? unitsEnd : metricEnd;
    if (ByteSearch.indexOf(buffer, last + 1, to, (byte) ',') < to) {
      return sharded ? "not four fields" : "not three fields";
    }
    return tally.line(buffer, from, actorEnd, actorEnd + 1, metricEnd, metricEnd + 1, unitsEnd);
  }

  private static boolean hasQuote(byte[] buffer, int from, int to) {
    return ByteSearch.indexOf(buffer, from, to, (byte) '"') < to;
  }

  /** Fields that may hold commas and doubled quotes, undone into a buffer of our own. */
  private @Nullable String quoted(byte[] buffer, int from, int to, Tally tally) {
    if (to - from > plain.length) {
      return "longer than " + plain.length + " bytes";
    }
    int[] ends = new int[4];
    int fields = 0;
    int out = 0;
    int at = from;
    while (true) {
      if (fields == (sharded ? 4 : 3)) {
        return sharded ? "not four fields" : "not three fields";
      }
      if (at < to && buffer[at] == '"') {
        at++;
        while (at < to && (buffer[at] != '"' || (at + 1 < to && buffer[at + 1] == '"'))) {
          at += buffer[at] == '"' ? 1 : 0;
          plain[out++] = buffer[at++];
        }
        if (at == to || (at + 1 < to && buffer[at + 1] != ',')) {
          return "a quote that does not end its field";
        }
        at++;
      } else {
        for (; at < to && buffer[at] != ','; at++) {
          if (buffer[at] == '"') {
            return "a quote inside a field that has none around it";
          }
          plain[out++] = buffer[at];
        }
      }
      ends[fields++] = out;
      if (at >= to) {
        break;
      }
      at++;
    }
    if (fields != (sharded ? 4 : 3)) {
      return sharded ? "not four fields" : "not three fields";
    }
    String wrong = ActorName.wrong(plain, 0, ends[0]);
    if (wrong == null) {
      wrong = tally.line(plain, 0, ends[0], ends[0], ends[1], ends[1], ends[2]);
    }
    return wrong;
  }
}
