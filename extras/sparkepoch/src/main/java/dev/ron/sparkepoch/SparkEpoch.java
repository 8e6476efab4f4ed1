package dev.ron.sparkepoch;

import dev.ron.blake3.Address;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.rewarder.core.Policy;
import dev.ron.rewarder.core.ScoreCursor;
import dev.ron.rewarder.input.FileInputs;
import dev.ron.rewarder.score.Aggregation;
import dev.ron.rewarder.sign.PolicyForm;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.storage.StorageLevel;
import scala.Tuple2;

/**
 * An epoch whose accounting comes in parts, each added up by some machine of a Spark cluster.
 *
 * <p>The aggregation is the service's own: a task runs {@link Aggregation} over one sealed part,
 * which verifies its address, reads any of its forms, and judges its lines as the policy says.
 * Spark carries the actors to where their sums meet, adds them, and puts them in order. The
 * calculus then reads them like any other scores.
 *
 * <p>Threading: immutable.
 *
 * @param inputs a folder of sealed files that every machine sees under this name
 * @param policy the sealed document
 * @param memoryBytes for the scores of one task
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record SparkEpoch(String inputs, byte[] policy, long memoryBytes) implements Serializable {
  private static final long serialVersionUID = 1;

  /** Scores in the order of actors; Spark keeps them on its disks until it is stopped. */
  public ScoreCursor.Source scores(JavaSparkContext spark, List<Address> parts, int partitions) {
    List<String> names = parts.stream().map(Address::toString).toList();
    JavaPairRDD<ActorKey, ActorScores> sorted =
        spark
            .parallelize(names, names.size())
            .flatMapToPair(this::part)
            .reduceByKey(ActorScores::plus, partitions)
            .sortByKey(true, partitions)
            .persist(StorageLevel.DISK_ONLY());
    return () -> new SortedRows(sorted);
  }

  /** One part on one machine. */
  private Iterator<Tuple2<ActorKey, ActorScores>> part(String address) throws Exception {
    Policy rules = rules();
    Path folder = Files.createTempDirectory("ron-part-");
    try {
      var scope = Scope.of("part", World.real(Log.silent()));
      Aggregation.Scores scores =
          new Aggregation(
                  scope,
                  new FileInputs(scope.disk(), Path.of(inputs)),
                  rules,
                  1,
                  memoryBytes,
                  folder)
              .run(Address.parse(address).orThrow());
      if (scores.source().overflowed()) {
        throw new ArithmeticException("a score of " + address + " is not below 2^127");
      }
      var rows = new ArrayList<Tuple2<ActorKey, ActorScores>>();
      try (ScoreCursor cursor = scores.source().open()) {
        while (cursor.next()) {
          rows.add(
              new Tuple2<>(
                  new ActorKey(cursor.actorBuffer(), cursor.actorOffset(), cursor.actorLength()),
                  ActorScores.at(cursor, rules.pools().size())));
        }
      }
      return rows.iterator();
    } finally {
      delete(folder);
    }
  }

  /** What the policy says; whether it is signed is for the service to ask. */
  public Policy rules() throws IOException {
    return PolicyForm.parse(policy).policy();
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }
}
