package dev.ron.mailbox.sqs;

import dev.ron.capability.KeyRing;
import dev.ron.capability.Revocations;
import dev.ron.capability.Trust;
import dev.ron.capability.Verifier;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;

/**
 * A mailbox with its SQS door in a process of its own, which says its port and waits to be killed.
 */
final class SqsKilledMain {
  private SqsKilledMain() {}

  public static void main(String[] args) throws Exception {
    // The same ring in every process: handles from before a kill are read after it.
    var verifier =
        new Verifier(new Trust(KeyRing.generate(new SplittableRandom(7)), Revocations.NONE));
    var rig =
        new SqsRig(
            Path.of(args[0]),
            verifier,
            "shard_count=" + args[1],
            "snapshot_bytes=64KiB",
            "sqs.any_key=true",
            "danger_ok=true");
    System.out.println(rig.port());
    new CountDownLatch(1).await();
  }
}
