package dev.ron.tidy;

import static dev.ron.tidy.Planted.call;

import java.util.ArrayList;
import java.util.List;

/** Calls that must be found, and look-alikes that must not. */
final class PlantedCalls {
  private static final String CORE =
      "services/mailbox/src/main/java/dev/ron/mailbox/core/Planted.java";
  private static final String TASK =
      "services/mailbox/src/main/java/dev/ron/mailbox/shard/Planted.java";
  private static final String MONEY =
      "services/rewarder/src/main/java/dev/ron/rewarder/core/Planted.java";
  private static final String BENCH = "bench/src/main/java/dev/ron/bench/Planted.java";
  private static final String NODE = "node/src/main/java/dev/ron/node/Planted.java";
  private static final String TEST = "kernel/src/test/java/dev/ron/kernel/Planted.java";

  private PlantedCalls() {}

  static List<Planted> all() {
    var all = new ArrayList<Planted>();
    all.addAll(queuesAndThreads());
    all.addAll(timeAndChance());
    all.addAll(terminalAndLocks());
    all.addAll(services());
    all.addAll(tests());
    all.addAll(lookAlikes());
    return all;
  }

  private static List<Planted> queuesAndThreads() {
    String queue = "unbounded-queue Planted.java:6";
    String thread = "raw-thread Planted.java:6";
    String executor = "executor Planted.java:6";
    return List.of(
        call(queue, "var q = new LinkedBlockingQueue<String>();"),
        call(queue, "var q = new java.util.concurrent.ConcurrentLinkedQueue<>();"),
        call(queue, "Queue<String> q = new\n    ConcurrentLinkedDeque<>();"),
        call(queue, "var q = new LinkedBlockingDeque<Map<String, List<String>>>();"),
        call(queue, "Supplier<Queue<String>> q = LinkedTransferQueue::new;"),
        call(queue, "Supplier<Queue<String>> q = PriorityBlockingQueue<String>::new;"),
        call(queue, "var q = new DelayQueue();"),
        call(TASK, queue, "var q = new LinkedBlockingQueue<String>();"),
        call(BENCH, queue, "var q = new ConcurrentLinkedQueue<String>();"),
        call(thread, "new Thread(this::act).start();"),
        call(thread, "new java.lang.Thread(this::act).start();"),
        call(thread, "Thread.ofVirtual().start(this::act);"),
        call(thread, "Thread.ofPlatform().daemon().start(this::act);"),
        call(thread, "Thread\n    .startVirtualThread(this::act);"),
        call(thread, "ThreadFactory f = Thread::new;"),
        call(thread, "class Mine extends Thread {}"),
        call(TASK, thread, "new Thread(this::act).start();"),
        call(executor, "var pool = Executors.newFixedThreadPool(2);"),
        call(executor, "try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {}"),
        call(executor, "var pool = new ScheduledThreadPoolExecutor(1);"),
        call(executor, "ForkJoinPool.commonPool().submit(this::act);"),
        call(executor, "list.parallelStream().forEach(this::act);"),
        call("common-pool Planted.java:6", "CompletableFuture.supplyAsync(() -> sum(1, 2));"),
        call("common-pool Planted.java:7", "var f =\n    CompletableFuture.runAsync(this::act);"),
        call("", "CompletableFuture.supplyAsync(() -> 1, ours);"),
        call("thread-kill Planted.java:6", "Thread.currentThread().stop();"),
        call("finalizer Planted.java:6", "class A { protected void finalize() {} }"));
  }

  private static List<Planted> timeAndChance() {
    String clock = "clock Planted.java:6";
    String random = "unseeded-random Planted.java:6";
    return List.of(
        call(clock, "long t = System.nanoTime();"),
        call(clock, "long t = System.currentTimeMillis();"),
        call(clock, "LongSupplier t = System::nanoTime;"),
        call(clock, "var t = Instant.now();"),
        call(clock, "Supplier<Instant> t = Instant::now;"),
        call(clock, "var t = Clock.systemUTC();"),
        call(clock, "var t = LocalDate.now();"),
        call(clock, "var t = LocalDateTime\n    .now();"),
        call(clock, "var t = new Date();"),
        call(BENCH, "", "long t = System.nanoTime();"),
        call("sleep Planted.java:6", "Thread.sleep(1);"),
        call(BENCH, "sleep Planted.java:6", "Thread.sleep(1);"),
        call("sleep Planted.java:6", "TimeUnit.SECONDS.sleep(1);"),
        call(random, "var r = new Random();"),
        call(random, "double r = Math.random();"),
        call(random, "int r = ThreadLocalRandom.current().nextInt();"),
        call(random, "var r = new SplittableRandom();"),
        call("", "var r = new Random(seed);"),
        call("", "var r = new SplittableRandom(seed);"),
        call("secure-random Planted.java:6", "var r = new SecureRandom();"),
        call("secure-random Planted.java:6", "var id = UUID.randomUUID();"),
        call(BENCH, "", "var id = UUID.randomUUID();"),
        call(
            "lib/capability/src/main/java/dev/ron/capability/Planted.java",
            "",
            "var r = new SecureRandom();"));
  }

  private static List<Planted> terminalAndLocks() {
    return List.of(
        call("terminal Planted.java:6", "System.out.println();"),
        call("terminal Planted.java:6", "System.err.println();"),
        call("terminal Planted.java:6", "e.printStackTrace();"),
        call(NODE, "", "System.out.println();"),
        call(BENCH, "", "System.err.println();"),
        call("exit Planted.java:6", "System.exit(1);"),
        call("exit Planted.java:6", "Runtime.getRuntime().halt(1);"),
        call(NODE, "", "System.exit(1);"),
        call("synchronized Planted.java:6", "synchronized (this) { act(); }"),
        call("synchronized Planted.java:6", "class A { synchronized void b() {} }"));
  }

  private static List<Planted> services() {
    return List.of(
        call(CORE, "clock Planted.java:6", "var now = Instant.now();"),
        call(CORE, "clock Planted.java:6", "long now = System.nanoTime();"),
        call(
            CORE,
            "core-purity Planted.java:6, lock-in-core Planted.java:6",
            "var lock = new java.util.concurrent.locks.ReentrantLock();"),
        call(
            CORE,
            "core-purity Planted.java:6, raw-thread Planted.java:6",
            "new Thread(this::act).start();"),
        call(CORE, "core-purity Planted.java:6", "java.nio.file.Files.exists(p);"),
        call(CORE, "core-purity Planted.java:6", "io.netty.buffer.ByteBuf b = null;"),
        call(CORE, "core-purity Planted.java:6", "dev.ron.kernel.time.Time t = null;"),
        call(CORE, "core-purity Planted.java:6", "dev.ron.mailbox.shard.ShardLoop l = null;"),
        call(CORE, "", "java.nio.ByteBuffer b = null; java.time.Instant i = null;"),
        call(CORE, "", "dev.ron.kernel.time.Deadline d = null; dev.ron.kernel.fault.Fault f;"),
        call(TASK, "", "var lock = new java.util.concurrent.locks.ReentrantLock();"),
        call(MONEY, "money-float Planted.java:6", "double cents = share;"),
        call(MONEY, "money-float Planted.java:6", "var cents = 0.1;"),
        call(MONEY, "", "long cents = 1_000; var version = \"1.5 double\";"),
        call(TASK, "", "double share = 0.5;"));
  }

  private static List<Planted> tests() {
    return List.of(
        call(TEST, "sleep Planted.java:6", "Thread.sleep(10);"),
        call(TEST, "disabled-test Planted.java:6", "class A { @Disabled void b() {} }"),
        call(TEST, "empty-proof Planted.java:6", "assertTrue(true);"),
        call(TEST, "empty-proof Planted.java:6", "assertThat(true).isTrue();"),
        call(TEST, "", "assertTrue(trueEnough()); new Thread(this::act).start();"),
        call(TEST, "", "var s = \"@Disabled Thread.sleep(1)\"; // assertTrue(true)"));
  }

  private static List<Planted> lookAlikes() {
    return List.of(
        call("", "// new Thread(r), never; System.nanoTime() neither"),
        call("", "/* new LinkedBlockingQueue<>() */ act(); /** synchronized */"),
        call("", "String s = \"Thread.sleep(1); new Thread(r)\";"),
        call("", "String s = \"a \\\" Instant.now() \\\\\"; String t = \"Instant.now()\";"),
        call("", "String s = \"\"\"\n    \" System.exit(1) \\\"\"\" System.exit(1)\n    \"\"\";"),
        call("", "char c = '\"'; char d = '\\''; String s = \"Math.random()\";"),
        call("clock Planted.java:6", "char c = '\"'; long t = System.nanoTime(); char d = '\"';"),
        call("clock Planted.java:8", "String s = \"\"\"\n    x\n    \"\"\" + System.nanoTime();"),
        call("clock Planted.java:7", "// it's\nlong t = System.nanoTime(); // isn't"),
        call("", "time.now(); system.nanoTime(); mySystem.exit(1); clock.now();"),
        call("", "new ThreadSafe(); new ArrayBlockingQueue<>(5); synchronizedMap(m);"),
        call("", "Thread.currentThread().interrupt(); watch.stop(); doubled(3);"));
  }
}
