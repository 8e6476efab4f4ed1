package dev.ron.sparkepoch;

import dev.ron.rewarder.core.ScoreCursor;
import dev.ron.rewarder.core.Wide;
import java.util.Iterator;
import org.apache.spark.api.java.JavaPairRDD;
import scala.Tuple2;

/**
 * Goes through the sorted actors of a job, partition by partition, so that no more than one
 * partition is with the driver at a time.
 *
 * <p>Threading: owned by whoever opened it.
 */
final class SortedRows implements ScoreCursor {
  private final Iterator<Tuple2<ActorKey, ActorScores>> rows;
  private byte[] actor = {};
  private ActorScores scores = new ActorScores(new long[0], 0);

  SortedRows(JavaPairRDD<ActorKey, ActorScores> sorted) {
    this.rows = sorted.toLocalIterator();
  }

  @Override
  public boolean next() {
    if (!rows.hasNext()) {
      return false;
    }
    Tuple2<ActorKey, ActorScores> row = rows.next();
    actor = row._1().name();
    scores = row._2();
    return true;
  }

  @Override
  public byte[] actorBuffer() {
    return actor;
  }

  @Override
  public int actorOffset() {
    return 0;
  }

  @Override
  public int actorLength() {
    return actor.length;
  }

  @Override
  public int badLines() {
    return scores.badLines();
  }

  @Override
  public Wide score(int pool) {
    return scores.score(pool);
  }

  @Override
  public void close() {
    // Spark ends a job whose iterator nobody asks any more.
  }
}
