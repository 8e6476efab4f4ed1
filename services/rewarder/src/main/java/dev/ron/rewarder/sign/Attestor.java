package dev.ron.rewarder.sign;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.ron.blake3.Blake3;
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
import java.util.Arrays;
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
    var fields = ByteBuffer.allocate(2 * Integer.BYTES + secret.length + open.length);
    fields.putInt(secret.length).put(secret).putInt(open.length).put(open).flip();
    byte[] check = check(fields);
    var bytes = ByteBuffer.allocate(fields.remaining() + check.length);
    bytes.put(fields).put(check).flip();
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
      byte[] secret = field(bytes);
      byte[] open = field(bytes);
      var pair = new KeyPair(kind.publicKey(open), kind.privateKey(secret));
      requireSound(bytes, pair, kind);
      return pair;
    } catch (GeneralSecurityException | RuntimeException damaged) {
      throw new IOException(
          "%s is damaged, or no key of ours: bring it back from a backup".formatted(file), damaged);
    }
  }

  /** A length that is damaged may be any number, and asks for as much memory. */
  private static byte[] field(ByteBuffer bytes) {
    int length = bytes.getInt();
    if (length < 0 || length > bytes.remaining()) {
      throw new IllegalArgumentException("a field of %d bytes".formatted(length));
    }
    byte[] field = new byte[length];
    bytes.get(field);
    return field;
  }

  /**
   * Under a key that is damaged an epoch would be closed with a signature that no reader accepts.
   * The file ends with a check over both keys; that of an older build has none, and signs to show
   * that its two belong together.
   */
  private static void requireSound(ByteBuffer bytes, KeyPair pair, SignatureKind kind) {
    if (bytes.hasRemaining()) {
      byte[] kept = new byte[bytes.remaining()];
      int end = bytes.position();
      bytes.get(kept);
      if (!Arrays.equals(kept, check(bytes.duplicate().flip().limit(end)))) {
        throw new IllegalArgumentException("its check does not fit");
      }
      return;
    }
    byte[] message = kind.word().getBytes(US_ASCII);
    String signature = Base64.getEncoder().encodeToString(kind.sign(pair.getPrivate(), message));
    if (!kind.verifies(SignatureKind.text(pair.getPublic()), message, signature)) {
      throw new IllegalArgumentException("the secret key does not belong to the public one");
    }
  }

  private static byte[] check(ByteBuffer fields) {
    byte[] all = new byte[fields.remaining()];
    fields.duplicate().get(all);
    return Blake3.hash(all).bytes();
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
