package dev.ron.checks;

import org.junit.jupiter.api.Test;

/**
 * What runs on an event loop and what does not. A line marked {@code // ERROR} must not compile.
 */
final class BlockingOnEventLoopTest {
  @Test
  void anInlineHandlerMayNotBlock() {
    Planted.compileAndCompareWithMarks(
        """
        class Handlers {
          final Inline lambda = request -> {
            Thread.sleep(1); // ERROR [BlockingOnEventLoop] Thread.sleep can block the event loop: answer from memory, or make the handler a Blocking one
            return request;
          };
          final Inline reference = Handlers::slow; // ERROR [BlockingOnEventLoop] Handlers.slow (it calls Files.size) can block the event loop: answer from memory, or make the handler a Blocking one
          final Inline quick = Math::abs;
          final Inline anonymous = new Inline() {
            @Override public int handle(int request) throws Exception {
              return slow(request); // ERROR [BlockingOnEventLoop] Handlers.slow (it calls Files.size) can block the event loop: answer from memory, or make the handler a Blocking one
            }
          };
          record Named(Path path) implements Inline {
            Named { if (!Files.exists(path)) throw new IllegalArgumentException(); }
            static Named open(Path path) throws IOException { Files.createFile(path); return new Named(path); }
            @Override public int handle(int request) throws Exception {
              Callable<Integer> elsewhere = () -> unused();
              return read(); // ERROR [BlockingOnEventLoop] Named.read (it calls Files.readAllBytes) can block the event loop: answer from memory, or make the handler a Blocking one
            }
            int read() throws IOException { return Files.readAllBytes(path).length; }
            int unused() throws IOException { return Files.readAllBytes(path).length; }
          }
          private static int slow(int request) throws IOException { return (int) Files.size(Path.of("")); }
          int offLoop() throws Exception { Thread.sleep(1); return slow(1); }
        }
        """);
  }

  @Test
  void theAnnotationMarksMethodsTypesAndWhatDescendsFromThem() {
    Planted.compileAndCompareWithMarks(
        """
        class Marks {
          interface Reader { @EventLoop void read() throws Exception; void off() throws Exception; }
          static class ByOverride implements Reader {
            @Override public void read() throws Exception {
              Thread.sleep(1); // ERROR [BlockingOnEventLoop] Thread.sleep can block the event loop: answer from memory, or make the handler a Blocking one
            }
            @Override public void off() throws Exception { Thread.sleep(1); }
          }
          @EventLoop interface Handler { void handle() throws Exception; }
          static class ByType implements Handler {
            @Override public void handle() throws Exception {
              Thread.sleep(1); // ERROR [BlockingOnEventLoop] Thread.sleep can block the event loop: answer from memory, or make the handler a Blocking one
            }
          }
          final Handler lambda = () -> Thread.sleep(1); // ERROR [BlockingOnEventLoop] Thread.sleep can block the event loop: answer from memory, or make the handler a Blocking one
          interface Step { @EventLoop void go() throws Exception; }
          final Step byMethod = () -> Thread.sleep(1); // ERROR [BlockingOnEventLoop] Thread.sleep can block the event loop: answer from memory, or make the handler a Blocking one
          @EventLoop static void fixed() throws Exception {
            Thread.sleep(1); // ERROR [BlockingOnEventLoop] Thread.sleep can block the event loop: answer from memory, or make the handler a Blocking one
          }
        }
        """);
  }

  @Test
  void waitingForALockBlocksTheLoopToo() {
    Planted.compileAndCompareWithMarks(
        """
        class Waiting {
          final Lock lock = new ReentrantLock();
          @EventLoop void waits() throws Exception {
            lock.lockInterruptibly(); // ERROR [BlockingOnEventLoop] Lock.lockInterruptibly can block the event loop: answer from memory, or make the handler a Blocking one
            lock.unlock();
            if (lock.tryLock(1, TimeUnit.SECONDS)) { // ERROR [BlockingOnEventLoop] Lock.tryLock can block the event loop: answer from memory, or make the handler a Blocking one
              lock.unlock();
            }
            if (lock.tryLock()) {
              lock.unlock();
            }
            lock.lock();
            lock.unlock();
          }
        }
        """);
  }
}
