package dev.ron.rewarder.core;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.rewarder.core.score.SortedScores;
import dev.ron.rewarder.core.score.Tally;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Random epochs, and the real calculus run over their lines. */
final class Epochs {
  private static final String[] ACTORS = {
    "a", "b", "ab", "did:ron:alice", "did:ron:bob", "z", "é", "ä", "東", "𝄞", "\uffee", "~"
  };
  private static final String[] METRICS = {"bytes_served", "uptime", "requests", "m"};

  private Epochs() {}

  /** What the real calculus made of lines. */
  static final class Result implements AllocationSink {
    final Map<String, BigInteger> amounts = new LinkedHashMap<>();
    final Map<String, BigInteger> held = new LinkedHashMap<>();
    Calculus.Outcome outcome;

    @Override
    public void allocate(ScoreCursor at, Wide amount) {
      amounts.put(actor(at), WideTest.big(amount));
    }

    @Override
    public void hold(ScoreCursor at, Wide amount) {
      held.put(actor(at), WideTest.big(amount));
    }

    private static String actor(ScoreCursor at) {
      return new String(at.actorBuffer(), at.actorOffset(), at.actorLength(), UTF_8);
    }

    Totals totals() {
      return ((Calculus.Outcome.Closed) outcome).totals();
    }
  }

  static Result run(Calculus calculus, Policy policy, Wide pool, List<SimpleEpoch.Line> lines) {
    var tally = new Tally(policy, 64L << 20);
    for (SimpleEpoch.Line line : lines) {
      byte[] actor = line.actor().getBytes(UTF_8);
      byte[] metric = line.metric().getBytes(UTF_8);
      byte[] units = line.units().getBytes(UTF_8);
      byte[] all = new byte[actor.length + metric.length + units.length];
      System.arraycopy(actor, 0, all, 0, actor.length);
      System.arraycopy(metric, 0, all, actor.length, metric.length);
      System.arraycopy(units, 0, all, actor.length + metric.length, units.length);
      int metricEnd = actor.length + metric.length;
      String stop =
          tally.line(all, 0, actor.length, actor.length, metricEnd, metricEnd, all.length);
      if (stop != null) {
        throw new AssertionError(stop);
      }
    }
    var result = new Result();
    result.outcome =
        calculus.run(
            policy, new LedgerInput(pool, "ROC", "e"), new SortedScores(tally.scores()), result);
    return result;
  }

  static Policy policy(RandomGenerator random) {
    var weights = new LinkedHashMap<String, Long>();
    int metrics = 1 + random.nextInt(3);
    for (int i = 0; i < metrics; i++) {
      weights.put(
          METRICS[i],
          switch (random.nextInt(4)) {
            case 0 -> 0L;
            case 1 -> Policy.WEIGHT_MAX;
            default -> random.nextLong(1, 1_000_001);
          });
    }
    var pools = new ArrayList<Policy.Pool>();
    if (metrics > 1 && random.nextBoolean()) {
      long share = random.nextLong(1_000_001);
      pools.add(new Policy.Pool("one", share, List.of(METRICS[0])));
      pools.add(
          new Policy.Pool(
              "two", random.nextLong(1_000_001 - share), List.of(METRICS).subList(1, metrics)));
    }
    return new Policy(
        "p",
        1,
        weights,
        random.nextBoolean() ? Rounding.FLOOR : Rounding.LARGEST_REMAINDER,
        random.nextInt(3) > 0 ? Wide.ZERO : Wide.of(random.nextInt(50)),
        random.nextInt(3) > 0 ? Optional.empty() : Optional.of(Wide.of(random.nextInt(500))),
        random.nextInt(4) > 0 ? Optional.empty() : Optional.of(Wide.of(random.nextInt(1000))),
        true,
        pools);
  }

  static Wide pool(RandomGenerator random) {
    return switch (random.nextInt(5)) {
      case 0 -> Wide.of(random.nextInt(20));
      case 1 -> Wide.MAX;
      case 2 -> new Wide(0, random.nextLong());
      default -> Wide.of(random.nextInt(1_000_000));
    };
  }

  static List<SimpleEpoch.Line> lines(RandomGenerator random) {
    var lines = new ArrayList<SimpleEpoch.Line>();
    int count = random.nextInt(30);
    int actors = 1 + random.nextInt(ACTORS.length);
    int kind = random.nextInt(4);
    for (int i = 0; i < count; i++) {
      lines.add(
          new SimpleEpoch.Line(
              ACTORS[random.nextInt(actors)],
              METRICS[random.nextInt(random.nextInt(8) == 0 ? 4 : 1)],
              units(random, kind)));
    }
    return lines;
  }

  private static String units(RandomGenerator random, int kind) {
    if (random.nextInt(40) == 0) {
      return new String[] {"-1", "-0", "x", "", "007", "1.5", "79228162514264337593543950336"}
          [random.nextInt(7)];
    }
    return switch (kind) {
      case 0 -> "1";
      case 1 -> Long.toString(random.nextInt(10));
      case 2 -> new BigInteger(96, new java.util.Random(random.nextLong())).toString();
      default -> Long.toString(random.nextLong() >>> 1);
    };
  }
}
