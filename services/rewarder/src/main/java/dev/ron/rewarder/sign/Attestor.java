package dev.ron.rewarder.sign;

import dev.ron.capability.signature.SignatureKind;
import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.DiskFile;
import dev.ron.usage.SealSigner;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Signs commitments with the rewarder's own keys, made at its first start.
 *
 * <p>Threading: immutable.
 */
public final class Attestor implements SealSigner {
  private static final int KEY_BYTES_MAX = 64 << 10;

  private final Map<SignatureKind, KeyPair> keys;

  private Attestor(Map<SignatureKind, KeyPair> keys) {
    this.keys = keys;
  }

  public static Attestor open(Disk disk, Path folder, List<SignatureKind> kinds)
      throws IOException {
    disk.createFolders(folder);
    var keys = new LinkedHashMap<SignatureKind, KeyPair>();
    for (SignatureKind kind : kinds) {
      Path file = folder.resolve("attest." + kind.word());
      if (!disk.exists(file)) {
        make(disk, folder, file, kind);
      }
      keys.put(kind, read(disk, file, kind));
    }
    return new Attestor(keys);
  }

  private static void make(Disk disk, Path folder, Path file, SignatureKind kind)
      throws IOException {
    KeyPair pair = kind.generate();
    byte[] secret = pair.getPrivate().getEncoded();
    byte[] open = pair.getPublic().getEncoded();
    var bytes = ByteBuffer.allocate(2 * Integer.BYTES + secret.length + open.length);
    bytes.putInt(secret.length).put(secret).putInt(open.length).put(open).flip();
    Path draft = file.resolveSibling(file.getFileName() + ".new");
    disk.delete(draft);
    try (DiskFile out = disk.open(draft)) {
      out.truncate(0);
      out.write(bytes, 0);
      out.flush();
    }
    disk.rename(draft, file);
    disk.flushDirectory(folder);
  }

  private static KeyPair read(Disk disk, Path file, SignatureKind kind) throws IOException {
    try (DiskFile in = disk.openReadOnly(file)) {
      var bytes = ByteBuffer.allocate((int) Math.min(in.size(), KEY_BYTES_MAX));
      in.read(bytes, 0);
      bytes.flip();
      byte[] secret = new byte[bytes.getInt()];
      bytes.get(secret);
      byte[] open = new byte[bytes.getInt()];
      bytes.get(open);
      return new KeyPair(kind.publicKey(open), kind.privateKey(secret));
    } catch (GeneralSecurityException | RuntimeException damaged) {
      throw new IOException(file + " is not a key of ours", damaged);
    }
  }

  @Override
  public List<Map<String, String>> sign(byte[] message) {
    var signatures = new ArrayList<Map<String, String>>();
    keys.forEach(
        (kind, pair) -> {
          var signature = new LinkedHashMap<String, String>();
          signature.put("alg", kind.word());
          signature.put("key", SignatureKind.text(pair.getPublic()));
          signature.put(
              "sig", Base64.getEncoder().encodeToString(kind.sign(pair.getPrivate(), message)));
          signatures.add(signature);
        });
    return signatures;
  }

  /** The public keys, in base64; policies signed with them are trusted. */
  @Override
  public List<String> publicKeys() {
    return keys.values().stream().map(pair -> SignatureKind.text(pair.getPublic())).toList();
  }
}
