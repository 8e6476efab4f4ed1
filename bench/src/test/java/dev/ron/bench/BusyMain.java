package dev.ron.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/** A child of the tests: burns CPU time, says how much its process used, and waits to be ended. */
public final class BusyMain {
  private BusyMain() {}

  public static void main(String[] args) throws InterruptedException {
    var threads = ManagementFactory.getThreadMXBean();
    long nanos = Duration.ofMillis(Long.parseLong(args[0])).toNanos();
    while (threads.getCurrentThreadCpuTime() < nanos) {
      Thread.onSpinWait();
    }
    var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    System.out.println("used " + system.getProcessCpuTime());
    Thread.currentThread().join();
  }
}
