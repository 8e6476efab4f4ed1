package dev.ron.node;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.ron.capability.Authentication;
import dev.ron.capability.Capability;
import dev.ron.capability.KeyRing;
import dev.ron.capability.KeyRingFile;
import dev.ron.capability.RevocationFile;
import dev.ron.capability.Revocations;
import dev.ron.capability.SecretFile;
import dev.ron.capability.TokenFile;
import dev.ron.capability.TokenMint;
import dev.ron.capability.Trust;
import dev.ron.capability.Verifier;
import dev.ron.capability.caveat.Caveat;
import dev.ron.capability.registered.RegisteredKeys;
import dev.ron.kernel.time.SystemTime;
import dev.ron.node.cluster.IdentityCommands;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The node's signing keys, made on the first start and kept where only its user can read them.
 *
 * <p>Threading: immutable.
 *
 * @param data the node's folder
 * @param fresh the keys were made just now, so no token exists yet
 */
public record NodeKeys(
    Path data, KeyRing ring, Revocations revocations, RegisteredKeys registered, boolean fresh) {
  private static final String RING = "keyring";
  private static final String ADMIN = "admin.cap";
  private static final String REVOCATIONS = "revocations";
  private static final String REGISTERED = "registered";
  private static final String S3_MASTERS = "s3-masters";

  public static NodeKeys openOrMake(Path data) throws IOException {
    Path folder = folder(data);
    DataFolder.make(data);
    if (!Files.exists(folder)) {
      Files.createDirectory(folder, DataFolder.OWNER_ONLY);
    }
    boolean fresh = !Files.exists(ring(data));
    if (fresh) {
      KeyRingFile.write(ring(data), KeyRing.generate(new SecureRandom()));
    }
    return open(data, fresh);
  }

  /** For commands that work on the files of a node, running or not. */
  public static NodeKeys open(Path data) throws IOException {
    if (!Files.exists(ring(data))) {
      throw new IOException(
          "no keys under %s; start the node once with `ron up --data %s`, or name its folder"
              .formatted(folder(data), data));
    }
    return open(data, false);
  }

  /**
   * For commands that change them.
   *
   * @throws IOException if another machine of the node's cluster has them: what is changed here
   *     would be as it was within a second
   */
  public static NodeKeys openToChange(Path data) throws IOException {
    Optional<String> keeper = IdentityCommands.keeper(data);
    if (keeper.isPresent()) {
      throw new IOException(
          "machine %s keeps the keys of the cluster: type this there, with its --data. If it is lost,"
                  .formatted(keeper.get())
              + " `ron cluster authority import --in authority.pem` here first");
    }
    return open(data);
  }

  private static NodeKeys open(Path data, boolean fresh) throws IOException {
    return new NodeKeys(
        data,
        KeyRingFile.read(ring(data)),
        RevocationFile.read(revocations(data)),
        readRegistered(data),
        fresh);
  }

  public static Path ring(Path data) {
    return folder(data).resolve(RING);
  }

  public static Path revocations(Path data) {
    return folder(data).resolve(REVOCATIONS);
  }

  /** What the S3 door encrypts with. */
  static Path s3Masters(Path data) {
    return folder(data).resolve(S3_MASTERS);
  }

  static Path registeredFile(Path data) {
    return folder(data).resolve(REGISTERED);
  }

  private static RegisteredKeys readRegistered(Path data) throws IOException {
    Path file = registeredFile(data);
    if (Files.notExists(file)) {
      return RegisteredKeys.NONE;
    }
    SecretFile.requireOwnerOnly(file);
    try {
      return RegisteredKeys.parse(Files.readString(file));
    } catch (IllegalArgumentException bad) {
      throw new IOException(file + ": " + bad.getMessage(), bad);
    }
  }

  /**
   * The files by which capabilities are signed and checked and objects of buckets encrypted, as the
   * machines of a cluster share them.
   *
   * @param revocations empty if there is no such file, as are {@code registered} and {@code
   *     masters}
   */
  public record Shared(String ring, String revocations, String registered, String masters) {
    public Shared {
      masters = masters == null ? "" : masters;
    }

    /** Keys are for no log. */
    @Override
    public String toString() {
      return "Shared";
    }
  }

  public static Shared shared(Path data) throws IOException {
    return new Shared(
        text(ring(data)),
        text(revocations(data)),
        text(registeredFile(data)),
        text(s3Masters(data)));
  }

  /**
   * Takes another machine's; a node that runs reads them within a second, and master keys with its
   * next start. A list of revocations that is empty there is taken for lost, and one of key pairs
   * for what it says: either way no key works for longer than it should.
   */
  public static void adopt(Path data, Shared other) throws IOException {
    if (!other.ring().isEmpty() && !shared(data).equals(other)) {
      if (!other.revocations().isEmpty()) {
        replace(revocations(data), other.revocations());
      }
      replace(registeredFile(data), other.registered());
      replace(s3Masters(data), masters(text(s3Masters(data)), other.masters()));
      replace(ring(data), other.ring());
    }
  }

  /** The last line is in use, and one that is taken away takes its objects along. */
  private static String masters(String own, String other) {
    var all = new LinkedHashSet<String>();
    own.lines().forEach(all::add);
    other.lines().forEach(all::remove);
    other.lines().forEach(all::add);
    return all.stream().map(line -> line + "\n").collect(Collectors.joining());
  }

  private static String text(Path file) throws IOException {
    return Files.exists(file) ? Files.readString(file) : "";
  }

  private static void replace(Path file, String text) throws IOException {
    if (!text.equals(text(file))) {
      SecretFile.replace(file, text);
    }
  }

  /** Gives a key pair a short id, durably; a running node reads it. */
  public String register(String pairId, Instant now) throws IOException {
    String id = RegisteredKeys.newId(new SecureRandom());
    change(keys -> keys.with(new RegisteredKeys.RegisteredKey(id, pairId, now)));
    return id;
  }

  /** Takes it away again. */
  public void unregister(String id) throws IOException {
    change(keys -> keys.without(id));
  }

  /** One process at a time, or the later would undo what the other wrote. */
  private void change(UnaryOperator<RegisteredKeys> change) throws IOException {
    Path file = registeredFile(data);
    Path lock = file.resolveSibling(REGISTERED + ".lock");
    try (var channel = FileChannel.open(lock, CREATE, WRITE);
        var _ = channel.lock()) {
      SecretFile.replace(file, change.apply(readRegistered(data)).text());
    }
  }

  /**
   * A token without a caveat: every operation for every tenant, until it is revoked or its key
   * retires. There is one for each key, kept beside it, so that a node that starts often does not
   * leave a trail of them.
   */
  public String adminToken() throws IOException {
    Path file = adminFile();
    Optional<String> kept = TokenFile.read(file).filter(this::isActive);
    if (kept.isPresent()) {
      return kept.get();
    }
    String token = mint(List.of());
    TokenFile.write(file, token);
    return token;
  }

  private boolean isActive(String token) {
    return new Verifier(trust()).authenticate(token, new SystemTime().wall())
            instanceof Authentication.Authentic(Capability capability)
        && capability.id().keyId().equals(ring.active().id());
  }

  public String mint(List<Caveat> caveats) {
    return new TokenMint(ring, new SecureRandom()).mint(caveats).token();
  }

  Trust trust() {
    return new Trust(ring, revocations, registered);
  }

  /** Where {@link #adminToken} keeps it. */
  public Path adminFile() {
    return folder(data).resolve(ADMIN);
  }

  private static Path folder(Path data) {
    return data.resolve("keys");
  }
}
