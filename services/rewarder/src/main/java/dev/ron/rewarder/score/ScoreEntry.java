package dev.ron.rewarder.score;

import dev.ron.rewarder.core.ScoreCursor;
import dev.ron.rewarder.core.Wide;
import dev.ron.rewarder.core.score.ScoreTable;
import dev.ron.rewarder.file.DiskInput;
import dev.ron.rewarder.file.DiskOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * One actor's scores in a file: length and bytes of the name, its bad lines, a score for each pool.
 *
 * <p>Threading: owned by the thread that reads into it.
 */
final class ScoreEntry {
  final byte[] actor = new byte[ScoreTable.ACTOR_BYTES_MAX];
  final Wide[] scores;
  int length;
  int badLines;

  ScoreEntry(int pools) {
    this.scores = new Wide[pools];
    Arrays.fill(scores, Wide.ZERO);
  }

  static void write(ScoreTable table, int entry, DiskOutput out) throws IOException {
    int length = table.actorLength(entry);
    out.putShort(length);
    out.put(table.names(), table.actorOffset(entry), length);
    out.putByte(table.badLines(entry));
    for (int pool = 0; pool < table.pools(); pool++) {
      out.putWide(table.score(entry, pool));
    }
  }

  static void write(ScoreCursor cursor, int pools, DiskOutput out) throws IOException {
    out.putShort(cursor.actorLength());
    out.put(cursor.actorBuffer(), cursor.actorOffset(), cursor.actorLength());
    out.putByte(cursor.badLines());
    for (int pool = 0; pool < pools; pool++) {
      out.putWide(cursor.score(pool));
    }
  }

  void write(DiskOutput out) throws IOException {
    out.putShort(length);
    out.put(actor, 0, length);
    out.putByte(badLines);
    for (Wide score : scores) {
      out.putWide(score);
    }
  }

  void read(DiskInput in) throws IOException {
    length = in.shortNumber();
    if (length > actor.length) {
      throw new IOException("an actor of " + length + " bytes");
    }
    in.get(actor, length);
    badLines = in.octet();
    for (int i = 0; i < scores.length; i++) {
      scores[i] = in.wide();
    }
  }

  void addTo(ScoreTable table) {
    int entry = table.entry(actor, 0, length);
    table.addBadLines(entry, badLines);
    for (int pool = 0; pool < scores.length; pool++) {
      table.add(entry, pool, scores[pool].high(), scores[pool].low());
    }
  }

  int compareTo(ScoreEntry other) {
    return Arrays.compareUnsigned(actor, 0, length, other.actor, 0, other.length);
  }
}
