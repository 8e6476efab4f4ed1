package dev.ron.node.fsck;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.blake3.Blake3;
import dev.ron.blake3.Hash;
import dev.ron.http.json.JsonTree;
import dev.ron.rewarder.artifact.AllocationReader;
import dev.ron.rewarder.artifact.AllocationWriter;
import dev.ron.rewarder.core.Manifest;
import dev.ron.rewarder.core.MerkleTree;
import dev.ron.rewarder.core.RunStatus;
import dev.ron.rewarder.ledger.PostingForm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finished runs against their commitments, and the two journals of payment.
 *
 * <p>Threading: owned by one thread.
 */
final class RewarderCheck {
  private static final String STORE = "rewarder";
  static final String KEYS = STORE + " keys";

  private final NodeCheck check;

  private RewarderCheck(NodeCheck check) {
    this.check = check;
  }

  static void run(NodeCheck check, Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    var rewarder = new RewarderCheck(check);
    int runs = 0;
    for (String kind : List.of("runs", "dry", "set-aside")) {
      for (Path run : NodeCheck.list(folder.resolve(kind))) {
        rewarder.finished(run);
        runs++;
      }
    }
    long postings =
        check.journal(
            STORE + " ledger",
            folder.resolve("ledger"),
            (_, _) -> {},
            remains -> {
              try {
                return Optional.of("posting " + PostingForm.decode(remains));
              } catch (IOException | RuntimeException _) {
                return Optional.empty();
              }
            });
    check.journal(STORE + " outbox", folder.resolve("outbox"), (_, _) -> {}, _ -> Optional.empty());
    KeysCheck.attestor(check, KEYS, folder.resolve("keys"), true);
    check.counted(STORE, "%d runs, %d postings".formatted(runs, postings));
  }

  private void finished(Path run) {
    String name = "run " + run.getFileName();
    try {
      Manifest manifest =
          Manifest.read(JsonTree.object(Files.readAllBytes(run.resolve("run.json"))));
      name = "epoch %s, run %s".formatted(manifest.epoch(), run.getFileName());
      if (!manifest.intact() || !manifest.runKey().equals(String.valueOf(run.getFileName()))) {
        check.lost(STORE, name + ": run.json does not have its commitment");
      }
      if (!Files.exists(run.resolve("policy.json"))) {
        check.lost(STORE, name + ": policy.json is gone");
      } else {
        policy(name, run, manifest);
      }
      if (manifest.status() != RunStatus.QUARANTINED) {
        allocations(name, run, manifest);
      }
    } catch (IOException | RuntimeException wrong) {
      check.lost(STORE, "%s: %s".formatted(name, wrong.getMessage()));
    }
  }

  private void policy(String name, Path run, Manifest manifest) throws IOException {
    Hash found = Blake3.hash(Files.readAllBytes(run.resolve("policy.json")));
    if (!manifest.text("policy").equals("b3:" + found.hex())) {
      check.lost(STORE, name + ": policy.json is not what its address says");
    }
  }

  private void allocations(String name, Path run, Manifest manifest) throws IOException {
    var blocks = new ArrayList<Hash>();
    var leaves = new ArrayList<Hash>();
    long[] lines = new long[2];
    try (var reader = new AllocationReader(check.scope().disk(), run, manifest.poolCount())) {
      reader.from(
          1,
          line -> {
            byte[] actor = line.actor().getBytes(UTF_8);
            leaves.add(MerkleTree.leaf(line.line(), actor, 0, actor.length, line.amount()));
            if (leaves.size() == AllocationWriter.BLOCK_LINES) {
              blocks.add(MerkleTree.root(leaves));
              leaves.clear();
            }
            lines[0]++;
            return true;
          });
      reader.held(_ -> ++lines[1] > 0);
    }
    if (!leaves.isEmpty()) {
      blocks.add(MerkleTree.root(leaves));
    }
    if (!manifest.text("root").equals("b3:" + MerkleTree.root(blocks).hex())) {
      check.lost(STORE, name + ": allocations do not have the root that run.json says");
    }
    if (lines[1] != manifest.number("held_actors")) {
      check.lost(STORE, name + ": held has another number of actors than run.json says");
    }
  }
}
