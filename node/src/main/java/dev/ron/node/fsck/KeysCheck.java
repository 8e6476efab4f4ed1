package dev.ron.node.fsck;

import dev.ron.capability.Authentication;
import dev.ron.capability.TokenFile;
import dev.ron.capability.Trust;
import dev.ron.capability.Verifier;
import dev.ron.capability.signature.SignatureKind;
import dev.ron.node.NodeKeys;
import dev.ron.rewarder.sign.Attestor;
import dev.ron.storage.s3.encryption.MasterKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The ring, revocations, registered key pairs, the operator's token and the key that signs seals.
 *
 * <p>A key has no checksum: one that was changed is another key. It is found by what it signed, or
 * by what was encrypted with it. That a file of revocations or of registered key pairs is gone
 * cannot be told from one that never was: nothing else of a node names them.
 *
 * <p>Threading: owned by one thread.
 */
final class KeysCheck {
  static final String STORE = "keys";
  private static final byte[] PROBE = {'r', 'o', 'n'};

  private KeysCheck() {}

  static void run(NodeCheck check) {
    Path folder = check.folders().keys();
    if (!Files.exists(folder)) {
      check.lost(STORE, folder + " is gone: no token, no key pair and no seal can be checked");
      return;
    }
    try {
      NodeKeys keys = NodeKeys.open(check.folders().data());
      admin(check, keys);
    } catch (IOException | RuntimeException wrong) {
      check.lost(STORE, wrong.getMessage() + "; without the ring every token and key pair ends");
    }
    // A folder of before uses were counted has no seals, and nothing that its key has signed.
    attestor(check, STORE, folder, Files.exists(check.folders().usage()));
  }

  /** Whether there is a key of the server's of an id. */
  static Predicate<String> masters(NodeCheck check) {
    if (!check.target().keysAreHere()) {
      check.counted(STORE, "the keys of buckets are elsewhere and were not compared");
      return _ -> true;
    }
    try {
      return MasterKeys.open(check.folders().keys().resolve("s3-masters")).ids()::contains;
    } catch (IOException wrong) {
      check.lost(STORE, wrong.getMessage() + "; no encrypted object of a bucket opens");
      return _ -> false;
    }
  }

  private static void admin(NodeCheck check, NodeKeys keys) throws IOException {
    Optional<String> token = TokenFile.read(keys.adminFile());
    if (token.isEmpty()) {
      check.unfinished(STORE, "no admin.cap yet; a start makes one");
      return;
    }
    var trust = new Trust(keys.ring(), keys.revocations(), keys.registered());
    Authentication answer =
        new Verifier(trust).authenticate(token.get(), check.scope().time().wall());
    if (!(answer instanceof Authentication.Authentic)) {
      check.lost(STORE, "admin.cap is not by a key of the ring: one of the two was changed");
    }
  }

  /**
   * A pair whose halves fit signs what it can verify.
   *
   * @param used whether there is anything that it may have signed
   */
  static void attestor(NodeCheck check, String store, Path folder, boolean used) {
    Path file = folder.resolve("attest." + SignatureKind.ED25519.word());
    if (!Files.exists(file) && !used) {
      check.unfinished(store, "no " + file.getFileName() + " yet; a start makes one");
      return;
    }
    if (!Files.exists(file)) {
      check.lost(
          store, file + " is gone: a start makes another, and what it signs has another name");
      return;
    }
    try {
      Attestor attestor =
          Attestor.open(check.scope().disk(), folder, List.of(SignatureKind.ED25519));
      boolean fits =
          SignatureKind.ED25519.verifies(
              attestor.publicKeys().getFirst(),
              PROBE,
              String.valueOf(attestor.sign(PROBE).getFirst().get("sig")));
      if (!fits) {
        check.lost(store, file + ": its halves are not of one key");
      }
    } catch (IOException | RuntimeException wrong) {
      check.lost(store, String.valueOf(wrong.getMessage()));
    }
  }
}
