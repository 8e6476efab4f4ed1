package dev.ron.tidy;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The table of banned calls, each with its reason and its replacement.
 *
 * <p>A module whose work it is to do such a thing is left out here, by its place; a single file
 * that has a reason is in {@code exemptions.txt}.
 */
final class BannedCalls {
  private static final Place MAIN = Place.MAIN;
  private static final Place PRODUCTION = MAIN.outside("bench");
  private static final Place TALKS_ELSEWHERE = MAIN.outside("node", "bench");
  private static final Place SERVICE_CORE = MAIN.inside("services").inPackagesNamed("core");

  private BannedCalls() {}

  static List<Rule> all() {
    return Stream.of(
            threads(),
            queues(),
            time(),
            chance(),
            terminal(),
            locks(),
            numbers(),
            imports(),
            tests())
        .flatMap(List::stream)
        .<Rule>map(ban -> ban)
        .toList();
  }

  private static List<Ban> threads() {
    return List.of(
        new Ban(
            "raw-thread",
            "A thread nobody supervises dies unseen and outlives its owner.",
            any(
                made("Thread"),
                "\\bThread\\s*(?:\\.|::)\\s*(?:ofVirtual|ofPlatform|startVirtualThread)\\b",
                "\\bextends\\s+Thread\\b"),
            MAIN,
            "a supervised Task, or scope.world().threads()"),
        new Ban(
            "executor",
            "A pool queues without a limit and hides its threads from the tree.",
            any(
                "\\bExecutors\\s*(?:\\.|::)\\s*new\\w+",
                made("(?:Scheduled)?ThreadPoolExecutor"),
                made("ForkJoinPool"),
                "\\bForkJoinPool\\s*\\.\\s*commonPool\\b",
                "\\.\\s*parallelStream\\s*\\(",
                "\\bjava\\.util\\.Timer\\b"),
            MAIN,
            "a supervised Task fed by a dev.ron.kernel.channel.Channel"),
        new Ban(
            "thread-kill",
            "Stopping a thread from outside leaves its locks and its state half done.",
            any(
                "\\bThread\\s*::\\s*(?:stop|suspend|resume)\\b",
                "\\bcurrentThread\\s*\\(\\s*\\)\\s*\\.\\s*(?:stop|suspend|resume)\\s*\\("),
            MAIN,
            "interrupt(), and a task that ends by itself"),
        new Ban(
            "finalizer",
            "A finalizer runs late, on any thread, or never.",
            Pattern.compile("\\bvoid\\s+finalize\\s*\\(\\s*\\)"),
            MAIN,
            "AutoCloseable, closed by its owner"));
  }

  private static List<Ban> queues() {
    return List.of(
        new Ban(
            "unbounded-queue",
            "A queue without a limit turns overload into lost memory instead of a refusal.",
            any(
                made("LinkedBlockingQueue"),
                made("LinkedBlockingDeque"),
                made("ConcurrentLinkedQueue"),
                made("ConcurrentLinkedDeque"),
                made("LinkedTransferQueue"),
                made("PriorityBlockingQueue"),
                made("DelayQueue")),
            MAIN,
            "dev.ron.kernel.channel.Channel, bounded, with its Overflow named at birth"));
  }

  private static List<Ban> time() {
    return List.of(
        new Ban(
            "clock",
            "Code that reads the clock itself cannot be stepped in virtual time.",
            any(
                "\\bSystem\\s*(?:\\.|::)\\s*(?:currentTimeMillis|nanoTime)\\b",
                "\\b(?:Instant|LocalDate|LocalTime|LocalDateTime|ZonedDateTime|OffsetDateTime|Year)"
                    + "\\s*(?:\\.|::)\\s*now\\b",
                "\\bClock\\s*(?:\\.|::)\\s*(?:system|tick)\\w*",
                "\\bnew\\s+(?:java\\.util\\.)?Date\\s*\\(\\s*\\)"),
            PRODUCTION,
            "the injected dev.ron.kernel.time.Time, or an Instant as parameter"),
        new Ban(
            "sleep",
            "A sleep is a guess about time: too short it fails, too long it wastes every run.",
            any(
                "\\bThread\\s*(?:\\.|::)\\s*sleep\\b",
                "\\bTimeUnit\\s*\\.\\s*\\w+\\s*\\.\\s*sleep\\b"),
            MAIN.or(Place.TESTS),
            "Time.sleepUntil in main code; VirtualTime, a latch or a polled condition in tests"));
  }

  private static List<Ban> chance() {
    return List.of(
        new Ban(
            "unseeded-random",
            "Chance that does not come from the seed cannot be replayed.",
            any(
                "\\bnew\\s+(?:java\\.util\\.)?(?:Splittable)?Random\\s*\\(\\s*\\)",
                "\\b(?:Splittable)?Random\\s*::\\s*new\\b",
                "\\bMath\\s*(?:\\.|::)\\s*random\\b",
                "\\bThreadLocalRandom\\s*(?:\\.|::)\\s*current\\b"),
            MAIN,
            "scope.chance() for jitter, scope.secrets() for a name, or new SplittableRandom(seed)"),
        new Ban(
            "secure-random",
            "Secrets come from the world, so that a test can seed them.",
            any(
                made("SecureRandom"),
                "\\bSecureRandom\\s*(?:\\.|::)\\s*(?:getInstance|getInstanceStrong)\\b",
                "\\bUUID\\s*(?:\\.|::)\\s*randomUUID\\b"),
            MAIN.outside("lib/capability", "bench"),
            "scope.secrets() for ids and receipts, lib/capability for keys"));
  }

  private static List<Ban> terminal() {
    return List.of(
        new Ban(
            "terminal",
            "A line on the terminal has no level, no fields and no reader.",
            any("\\bSystem\\s*\\.\\s*(?:out|err)\\b", "\\bprintStackTrace\\b"),
            TALKS_ELSEWHERE,
            "dev.ron.kernel.log.Log"),
        new Ban(
            "exit",
            "A library that ends the process skips every drain.",
            any(
                "\\bSystem\\s*(?:\\.|::)\\s*exit\\b",
                "\\bgetRuntime\\s*\\(\\s*\\)\\s*\\.\\s*(?:exit|halt)\\b"),
            TALKS_ELSEWHERE,
            "a Fault to the caller, or a failed task to its Supervisor"));
  }

  private static List<Ban> locks() {
    return List.of(
        new Ban(
            "synchronized",
            "A monitor has no rank, no name in the registry and no seeded scheduler.",
            Pattern.compile("\\bsynchronized\\b"),
            MAIN,
            "dev.ron.kernel.lock.RankedLock, or ReentrantLock for a leaf"),
        new Ban(
            "lock-in-core",
            "Core state is owned by one loop; a lock there says that two threads meet.",
            Pattern.compile("\\b(?:Reentrant(?:ReadWrite)?|Stamped)Lock\\b"),
            SERVICE_CORE,
            "no lock: let the task that owns the state call it"));
  }

  private static List<Ban> numbers() {
    return List.of(
        new Ban(
            "money-float",
            "Money in binary fractions loses cents; sums must be exact in any order.",
            any(
                "\\b(?:float|double|Float|Double)\\b",
                "\\b(?:Float|Double)Stream\\b",
                "(?<![\\w.])\\d[\\d_]*\\.\\d"),
            MAIN.inside("services/rewarder"),
            "long units with Math.addExact and Math.multiplyExact"));
  }

  private static List<Ban> imports() {
    return List.of(
        new Ban(
            "wildcard-import",
            "A star hides where a name comes from, from readers and from this table.",
            Pattern.compile("\\bimport\\s+(?:static\\s+)?[\\w.]+\\.\\*\\s*;"),
            MAIN,
            "one import for each name"));
  }

  private static List<Ban> tests() {
    return List.of(
        new Ban(
            "disabled-test",
            "A test that is switched off looks like a pass.",
            Pattern.compile("@(?:org\\.junit\\.jupiter\\.api\\.)?Disabled\\b"),
            Place.TESTS,
            "fix it or delete it; if something is absent, an assumption with a message"),
        new Ban(
            "empty-proof",
            "A test that cannot fail proves nothing.",
            any(
                "\\bassertTrue\\s*\\(\\s*true\\s*[,)]",
                "\\bassertFalse\\s*\\(\\s*false\\s*[,)]",
                "\\bassertThat\\s*\\(\\s*(?:true|false)\\s*\\)"),
            Place.TESTS,
            "an assertion about what the code did"));
  }

  /** A constructor, called or handed on. */
  private static String made(String type) {
    return "\\bnew\\s+(?:[a-z]\\w*\\s*\\.\\s*)*"
        + type
        + "\\s*[<({]"
        + "|\\b"
        + type
        + "\\s*(?:<[^;()]*>)?\\s*::\\s*new\\b";
  }

  private static Pattern any(String... patterns) {
    return Pattern.compile(
        Stream.of(patterns).map(p -> "(?:" + p + ")").collect(Collectors.joining("|")));
  }
}
