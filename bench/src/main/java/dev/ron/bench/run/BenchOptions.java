package dev.ron.bench.run;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * What was asked on the command line.
 *
 * <p>Threading: immutable.
 *
 * @param name a benchmark's name or {@code list}
 * @param rounds how often each side is measured
 * @param sideSeconds how long one side works in one round
 * @param plot where to draw the ratios, or null
 * @param suite the checkout of a public test suite, for a benchmark that runs one, or null
 * @param objects how many a benchmark makes that makes very many; 0 for as many as it usually does
 * @param service the only one that a benchmark of several measures, or null for all
 * @param beside another distribution to compare with, or null
 * @param json machine-readable only: no sentences for people, and {@code list} as JSON lines
 */
public record BenchOptions(
    String name,
    int rounds,
    int sideSeconds,
    @Nullable Path plot,
    @Nullable Path suite,
    int objects,
    @Nullable String service,
    @Nullable Path beside,
    boolean json) {
  /** Odd, so that the median is a reading, and enough that quartiles are between readings. */
  static final int ROUNDS = 7;

  static final int ROUNDS_MAX = 101;
  static final int SIDE_SECONDS = 2;
  static final int SIDE_SECONDS_MAX = 60;
  static final int OBJECTS_MAX = 1_000_000_000;

  public static final String USAGE =
      """
      usage: ron bench list [--json]
             ron bench NAME [--rounds N] [--seconds S] [--plot FILE.svg] [--suite DIR] [--objects N] [--service S]
                            [--beside DIR] [--json]
        --rounds N    how often each side is measured, 1 to 101 (7)
        --seconds S   how long one side works in one round, 1 to 60 (2)
        --plot FILE   draw the ratio of each round as SVG
        --suite DIR   the checkout of the test suite that cache-tests or s3-tests runs
        --objects N   how many objects s3 creates, and lists and starts with, up to 1000000000 (100000)
        --service S   the only door that tenants measures: gateway, edge, mailbox, storage, rewarder, s3, sqs
        --beside DIR  the checkout or the unpacked archive that releases compares with
        --json        nothing but JSON lines\
      """;

  /** The command line cannot be understood; the message says why. */
  public static final class Misuse extends Exception {
    private static final long serialVersionUID = 1;

    Misuse(String message) {
      super(message);
    }
  }

  public static BenchOptions parse(String... args) throws Misuse {
    String name = null;
    int rounds = ROUNDS;
    int seconds = SIDE_SECONDS;
    Path plot = null;
    Path suite = null;
    int objects = 0;
    String service = null;
    Path beside = null;
    boolean json = false;
    for (Iterator<String> rest = Arrays.asList(args).iterator(); rest.hasNext(); ) {
      String arg = rest.next();
      switch (arg) {
        case "--rounds" -> rounds = number(arg, rest, ROUNDS_MAX);
        case "--seconds" -> seconds = number(arg, rest, SIDE_SECONDS_MAX);
        case "--plot" -> plot = Path.of(value(arg, rest));
        case "--suite" -> suite = Path.of(value(arg, rest));
        case "--objects" -> objects = number(arg, rest, OBJECTS_MAX);
        case "--service" -> service = value(arg, rest);
        case "--beside" -> beside = Path.of(value(arg, rest));
        case "--json" -> json = true;
        default -> {
          if (arg.startsWith("-")) {
            throw new Misuse("unknown option " + arg);
          }
          if (name != null) {
            throw new Misuse("one name at a time: " + name + ", " + arg);
          }
          name = arg;
        }
      }
    }
    if (name == null) {
      throw new Misuse("which benchmark?");
    }
    return new BenchOptions(name, rounds, seconds, plot, suite, objects, service, beside, json);
  }

  private static String value(String option, Iterator<String> rest) throws Misuse {
    if (!rest.hasNext()) {
      throw new Misuse(option + " needs a value");
    }
    return rest.next();
  }

  private static int number(String option, Iterator<String> rest, int max) throws Misuse {
    String text = value(option, rest);
    try {
      int number = Integer.parseInt(text);
      if (number >= 1 && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below, in the same words as for a number out of range.
    }
    throw new Misuse(option + " takes a whole number from 1 to " + max + ", not " + text);
  }
}
