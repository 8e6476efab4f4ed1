package dev.ron.mailbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * How many sends a second three machines in one JVM take from 48 clients; a program and not a test,
 * for choices such as how many entries are on their way at a time.
 */
final class SendRate {
  private static final int CLIENTS = 48;
  private static final int ROUNDS = 6;
  private static final int ROUND_MILLIS = 4000;

  private SendRate() {}

  public static void main(String[] args) throws Exception {
    Path folder = Files.createTempDirectory("send-rate");
    try (var members = new Members(folder)) {
      for (String name : Machines.NAMES) {
        members.start(
            name,
            "shard_capacity=100000",
            "cluster.log_entries=20000",
            "cluster.log_segment=32MiB");
      }
      members.awaitAllReady();
      for (int round = 0; round < ROUNDS; round++) {
        long taken = round(members, "r" + round);
        System.out.printf("round %d: %d sends/s%n", round, taken * 1000 / ROUND_MILLIS);
      }
    }
  }

  private static long round(Members members, String name) throws Exception {
    var end = members.time.now().plusMillis(ROUND_MILLIS);
    List<Future<Long>> all = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int client = 0; client < CLIENTS; client++) {
        int number = client;
        all.add(
            threads.submit(
                () -> {
                  long taken = 0;
                  for (int i = 0; members.time.now().isBefore(end); i++) {
                    taken += send(members, number, name + "-" + number + "-" + i) ? 1 : 0;
                  }
                  return taken;
                }));
      }
    }
    long taken = 0;
    for (Future<Long> each : all) {
      taken += each.get();
    }
    return taken;
  }

  private static boolean send(Members members, int client, String key)
      throws IOException, InterruptedException {
    String path = "/v1/send?topic=t%d&idem_key=%s".formatted(client % 6, key);
    String machine = Machines.NAMES.get(client % Machines.NAMES.size());
    return members.post(machine, path, "application/octet-stream", new byte[1000]).statusCode()
        == 200;
  }
}
