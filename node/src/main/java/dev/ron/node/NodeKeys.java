package dev.ron.node;

import dev.ron.capability.Caveat;
import dev.ron.capability.KeyRing;
import dev.ron.capability.KeyRingFile;
import dev.ron.capability.Minting;
import dev.ron.capability.RevocationFile;
import dev.ron.capability.Revocations;
import dev.ron.capability.Trust;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.List;

/**
 * The node's signing keys, made on the first start and kept where only its user can read them.
 *
 * <p>Threading: immutable.
 *
 * @param fresh the keys were made just now, so nobody has a token yet
 */
record NodeKeys(KeyRing ring, Revocations revocations, boolean fresh) {
  private static final String RING = "keyring";
  private static final String REVOCATIONS = "revocations";

  static NodeKeys openOrMake(Path data) throws IOException {
    Path folder = folder(data);
    Files.createDirectories(data);
    if (!Files.exists(folder)) {
      Files.createDirectory(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
    boolean fresh = !Files.exists(folder.resolve(RING));
    if (fresh) {
      KeyRingFile.write(folder.resolve(RING), KeyRing.generate(new SecureRandom()));
    }
    return open(data, fresh);
  }

  /** For commands that work on the files of a node, running or not. */
  static NodeKeys open(Path data) throws IOException {
    if (!Files.exists(folder(data).resolve(RING))) {
      throw new IOException(
          "no keys under %s; start the node once with `ron up --data %s`, or name its folder"
              .formatted(folder(data), data));
    }
    return open(data, false);
  }

  private static NodeKeys open(Path data, boolean fresh) throws IOException {
    return new NodeKeys(
        KeyRingFile.read(folder(data).resolve(RING)),
        RevocationFile.read(revocations(data)),
        fresh);
  }

  static Path revocations(Path data) {
    return folder(data).resolve(REVOCATIONS);
  }

  /** A token without a caveat: everything, for everybody, until it is revoked. */
  String adminToken() {
    return mint(List.of());
  }

  String mint(List<Caveat> caveats) {
    return new Minting(ring, new SecureRandom()).mint(caveats).token();
  }

  Trust trust() {
    return new Trust(ring, revocations);
  }

  private static Path folder(Path data) {
    return data.resolve("keys");
  }
}
