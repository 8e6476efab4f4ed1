package dev.ron.checks;

import org.junit.jupiter.api.Test;

/** Where a lock is held and where not. A line marked {@code // ERROR} must not compile. */
final class BlockingWhileLockedTest {
  @Test
  void aMonitorIsHeldInItsBlockAndItsMethod() {
    Planted.compileAndCompareWithMarks(
        """
        class Monitors {
          final Object guard = new Object();
          synchronized void method() throws Exception {
            Thread.sleep(1); // ERROR [BlockingWhileLocked] Thread.sleep can block while holding the monitor of Monitors.this: copy the state out, unlock, then block
          }
          static synchronized void ofClass() throws Exception {
            Thread.sleep(1); // ERROR [BlockingWhileLocked] Thread.sleep can block while holding the monitor of Monitors.class: copy the state out, unlock, then block
          }
          void block() throws Exception {
            synchronized (guard) {
              Thread.sleep(1); // ERROR [BlockingWhileLocked] Thread.sleep can block while holding the monitor of Monitors.guard: copy the state out, unlock, then block
            }
            Thread.sleep(1);
          }
          void nested() throws Exception {
            synchronized (guard) {
              synchronized (guard) { guard.notifyAll(); }
              Thread.sleep(1); // ERROR [BlockingWhileLocked] Thread.sleep can block while holding the monitor of Monitors.guard: copy the state out, unlock, then block
            }
          }
          static {
            synchronized (Monitors.class) {
              new CompletableFuture<String>().join(); // ERROR [BlockingWhileLocked] CompletableFuture.join can block while holding the monitor of Monitors.class: copy the state out, unlock, then block
            }
          }
        }
        """);
  }

  @Test
  void waitingGivesBackTheMonitorItWaitsOnAndNoOther() {
    Planted.compileAndCompareWithMarks(
        """
        class Waits {
          final Object a = new Object();
          final Object b = new Object();
          boolean ready;
          synchronized void own() throws Exception { while (!ready) wait(); }
          synchronized void qualified() throws Exception { while (!ready) this.wait(1); }
          void one() throws Exception { synchronized (a) { while (!ready) a.wait(); } }
          void same() throws Exception { synchronized (this.a) { while (!ready) a.wait(); } }
          void another() throws Exception {
            synchronized (a) {
              synchronized (b) {
                while (!ready) b.wait(); // ERROR [BlockingWhileLocked] Object.wait can block while holding the monitor of Waits.a and the monitor of Waits.b: copy the state out, unlock, then block
              }
            }
          }
        }
        """);
  }

  @Test
  void aLockIsHeldFromLockToUnlock() {
    Planted.compileAndCompareWithMarks(
        """
        class Locks {
          final ReentrantLock lock = new ReentrantLock();
          final ReadWriteLock both = new ReentrantReadWriteLock();
          void usual(Path path) throws Exception {
            Files.size(path);
            lock.lock();
            try {
              Files.size(path); // ERROR [BlockingWhileLocked] Files.size can block while holding Locks.lock: copy the state out, unlock, then block
            } finally {
              lock.unlock();
            }
            Files.size(path);
          }
          void straight(Path path) throws Exception {
            lock.lockInterruptibly();
            Files.size(path); // ERROR [BlockingWhileLocked] Files.size can block while holding Locks.lock: copy the state out, unlock, then block
            this.lock.unlock();
            Files.size(path);
          }
          void inFinally(Path path) throws Exception {
            lock.lock();
            try {
              lock.isHeldByCurrentThread();
            } finally {
              Files.size(path); // ERROR [BlockingWhileLocked] Files.size can block while holding Locks.lock: copy the state out, unlock, then block
              lock.unlock();
            }
          }
          void reader(Path path) throws Exception {
            both.readLock().lock();
            try {
              Files.size(path); // ERROR [BlockingWhileLocked] Files.size can block while holding Locks.both.readLock(): copy the state out, unlock, then block
            } finally {
              both.readLock().unlock();
            }
            Files.size(path);
          }
          void two(Lock other, Path path) throws Exception {
            lock.lock();
            other.lock();
            lock.unlock();
            Files.size(path); // ERROR [BlockingWhileLocked] Files.size can block while holding other: copy the state out, unlock, then block
            other.unlock();
            Files.size(path);
          }
        }
        """);
  }

  @Test
  void aConditionGivesBackItsOwnLockAndNoOther() {
    Planted.compileAndCompareWithMarks(
        """
        class Conditions {
          private void awaitReady() throws Exception { while (!isReady) { ready.await(); } }
          final Lock lock = new ReentrantLock();
          final Condition ready = lock.newCondition();
          boolean isReady;
          void loop(Time time, Instant until) throws Exception {
            lock.lock();
            try {
              while (!isReady) { ready.await(); }
              awaitReady();
              while (!isReady) { if (ready.awaitNanos(1) <= 0) return; }
              while (!isReady) { if (!time.await(lock, ready, until)) return; }
            } finally {
              lock.unlock();
            }
          }
          synchronized void insideAMonitor() throws Exception {
            lock.lock();
            try {
              while (!isReady) {
                ready.await(); // ERROR [BlockingWhileLocked] Condition.await can block while holding Conditions.lock and the monitor of Conditions.this: copy the state out, unlock, then block
              }
            } finally {
              lock.unlock();
            }
          }
        }
        """);
  }

  @Test
  void aRankedLockIsHeldWhileItRunsALambda() {
    Planted.compileAndCompareWithMarks(
        """
        class Ranked {
          final RankedLock lock = new RankedLock();
          void lambdas(Path path) throws Exception {
            lock.run(() -> Thread.sleep(1)); // ERROR [BlockingWhileLocked] Thread.sleep can block while holding Ranked.lock: copy the state out, unlock, then block
            long size = lock.call(() -> {
              return Files.size(path); // ERROR [BlockingWhileLocked] Files.size can block while holding Ranked.lock: copy the state out, unlock, then block
            });
            lock.holding(() -> Files.size(path)); // ERROR [BlockingWhileLocked] Files.size can block while holding Ranked.lock: copy the state out, unlock, then block
            lock.run(this::flush); // ERROR [BlockingWhileLocked] Ranked.flush (it calls Thread.sleep) can block while holding Ranked.lock: copy the state out, unlock, then block
            lock.call(path::toRealPath);
            lock.later(() -> Thread.sleep(2));
            Thread.sleep(size);
          }
          void plain() throws Exception {
            lock.lock();
            Thread.sleep(1); // ERROR [BlockingWhileLocked] Thread.sleep can block while holding Ranked.lock: copy the state out, unlock, then block
            lock.unlock();
            Thread.sleep(2);
          }
          private void flush() throws InterruptedException { Thread.sleep(1); }
        }
        """);
  }

  @Test
  void whatIsOnlyCreatedUnderALockRunsLater() {
    Planted.compileAndCompareWithMarks(
        """
        class Later {
          final Lock lock = new ReentrantLock();
          final List<Callable<String>> todo = new ArrayList<>();
          synchronized void queue(Path path) {
            todo.add(() -> Files.readString(path));
            todo.add(new Callable<>() {
              @Override public String call() throws Exception { return Files.readString(path); }
            });
            class Local { String read() throws IOException { return Files.readString(path); } }
            Supplier<Callable<String>> nested = () -> () -> Files.readString(path);
            List.of(path).forEach(each -> Thread.onSpinWait());
            List.of(path).forEach(each -> each.toFile().exists()); // ERROR [BlockingWhileLocked] File.exists can block while holding the monitor of Later.this: copy the state out, unlock, then block
          }
          void insideOut(Path path) {
            todo.add(() -> {
              lock.lock();
              try {
                return Files.readString(path); // ERROR [BlockingWhileLocked] Files.readString can block while holding Later.lock: copy the state out, unlock, then block
              } finally { lock.unlock(); }
            });
          }
        }
        """);
  }

  @Test
  void streamsInMemoryAndCallsThatDoNotWaitAreLegal() {
    Planted.compileAndCompareWithMarks(
        """
        class Legal {
          final Lock lock = new ReentrantLock();
          final StringWriter text = new StringWriter();
          synchronized byte[] encode(OutputStream wire) throws Exception {
            var bytes = new ByteArrayOutputStream();
            bytes.write(1);
            bytes.write(new byte[2]);
            var data = new DataOutputStream(new BufferedOutputStream(bytes));
            data.writeInt(3);
            data.flush();
            text.append("4").write("5");
            new PrintWriter(text).println();
            new StringReader("6").read();
            new BufferedReader(new StringReader("7")).readLine();
            new ByteArrayInputStream(new byte[8]).readAllBytes();
            var changing = new DataOutputStream(bytes);
            changing = new DataOutputStream(wire);
            changing.writeInt(9); // ERROR [BlockingWhileLocked] DataOutputStream.writeInt can block while holding the monitor of Legal.this: copy the state out, unlock, then block
            return bytes.toByteArray();
          }
          synchronized void noWait(BlockingQueue<String> queue, Semaphore semaphore,
              CompletableFuture<String> future, Channel<String> channel, Watch<String> watch,
              Time time, Selector selector, HttpClient http, HttpRequest request) throws Exception {
            queue.offer("");
            queue.poll();
            semaphore.tryAcquire();
            semaphore.tryAcquire(1);
            semaphore.release();
            future.complete("");
            future.getNow("");
            future.resultNow();
            future.thenApply(String::trim);
            channel.trySend("");
            watch.latest();
            time.now();
            selector.wakeup();
            selector.selectNow();
            http.sendAsync(request, HttpResponse.BodyHandlers.discarding());
            new Socket();
            new File("").getName();
            String.join("", "");
            lock.lock();
            lock.unlock();
          }
        }
        """);
  }

  @Test
  void aMethodWhoseBodyIsAtHandIsFollowedToAnyDepth() {
    Planted.compileAndCompareWithMarks(
        """
        class Steps {
          final Lock lock = new ReentrantLock();
          void calls() throws Exception {
            lock.lock();
            try {
              direct(); // ERROR [BlockingWhileLocked] Steps.direct (it calls Files.size) can block while holding Steps.lock: copy the state out, unlock, then block
              fixed(); // ERROR [BlockingWhileLocked] Steps.fixed (it calls Files.size) can block while holding Steps.lock: copy the state out, unlock, then block
              twoSteps(); // ERROR [BlockingWhileLocked] Steps.twoSteps (it calls Steps.direct (it calls Files.size)) can block while holding Steps.lock: copy the state out, unlock, then block
              later();
              outside();
              open(); // ERROR [BlockingWhileLocked] Steps.open (it calls Files.size) can block while holding Steps.lock: copy the state out, unlock, then block
              round(3);
            } finally {
              lock.unlock();
            }
            direct();
          }
          private void direct() throws Exception { Files.size(Path.of("")); }
          private static void fixed() throws Exception { Files.size(Path.of("")); }
          private void twoSteps() throws Exception { direct(); }
          private Callable<Long> later() { return () -> Files.size(Path.of("")); }
          private void outside() throws Exception {
            lock.unlock();
            try { Files.size(Path.of("")); } finally { lock.lock(); }
          }
          void open() throws Exception { Files.size(Path.of("")); }
          private void round(int left) { if (left > 0) { round(left - 1); } }
        }
        """);
  }

  @Test
  void aReasonedSuppressionIsRespected() {
    Planted.compileAndCompareWithMarks(
        """
        class Suppressed {
          @SuppressWarnings("BlockingWhileLocked")
          synchronized void known() throws Exception { Thread.sleep(1); }
        }
        """);
  }
}
