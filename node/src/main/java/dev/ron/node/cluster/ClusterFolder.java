package dev.ron.node.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static java.util.stream.Collectors.joining;

import dev.ron.capability.SecretFile;
import dev.ron.http.json.Json;
import dev.ron.http.json.JsonRead;
import dev.ron.http.tls.CertificateAuthority;
import dev.ron.http.tls.PeerTls;
import dev.ron.http.tls.Pem;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.function.UnaryOperator;

/**
 * What a machine keeps of its cluster, under {@code keys/cluster} where only its user can read: its
 * certificate and key, the list of machines, and on one of them the authority.
 *
 * <p>Threading: immutable; of several processes one changes a file at a time.
 */
record ClusterFolder(Path folder) {
  private static final String ROSTER = "machines.json";
  private static final String SELF = "self";
  private static final String INVITATIONS = "invitations.json";
  private static final String FOUNDING = "founding";
  private static final String LOCK = "lock";

  /** A file is locked by processes, not by threads. */
  private static final Semaphore TURN = new Semaphore(1);

  static ClusterFolder of(Path data) {
    return new ClusterFolder(data.resolve("keys").resolve("cluster"));
  }

  /** Whether this machine belongs to a cluster. The name is written last. */
  boolean exists() {
    return Files.exists(folder.resolve(SELF));
  }

  void make() throws IOException {
    Files.createDirectories(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  Path authorityFile() {
    return folder.resolve("authority.pem");
  }

  Path authorityKey() {
    return folder.resolve("authority.key");
  }

  Path certificateFile() {
    return folder.resolve("machine.pem");
  }

  Path keyFile() {
    return folder.resolve("machine.key");
  }

  Path revokedFile() {
    return folder.resolve("revoked");
  }

  PeerTls tls() {
    return new PeerTls(certificateFile(), keyFile(), authorityFile(), Optional.of(revokedFile()));
  }

  /**
   * For the one door that tells a machine that it was let go: it speaks to those too, and each of
   * its answers looks at the list.
   */
  PeerTls anyOfTheAuthority() {
    return new PeerTls(certificateFile(), keyFile(), authorityFile());
  }

  boolean hasAuthority() {
    return Files.exists(authorityKey());
  }

  /** Whether this machine writes the list; one that was taken for lost has the key as well. */
  boolean keepsTheList() throws IOException {
    return hasAuthority() && self().equals(roster().founder());
  }

  CertificateAuthority authority() throws IOException {
    if (!keepsTheList()) {
      throw new IOException(
          "machine %s has the authority of the cluster: type this there, with its --data. If it is lost,"
                  .formatted(roster().founder())
              + " `ron cluster authority import --in authority.pem` here first");
    }
    SecretFile.requireOwnerOnly(authorityKey());
    return CertificateAuthority.read(authorityFile(), authorityKey());
  }

  void keepAuthority(CertificateAuthority authority) throws IOException {
    SecretFile.replace(authorityKey(), Pem.of(authority.key()));
    SecretFile.replace(authorityFile(), Pem.of(authority.certificate()));
  }

  /** Takes an authority that was exported; it must be this cluster's. */
  void importAuthority(Path exported) throws IOException {
    String text = Files.readString(exported);
    int key = text.indexOf("-----BEGIN PRIVATE KEY");
    if (key < 0) {
      throw new IOException(exported + " is not what `ron cluster authority export` wrote");
    }
    var other =
        new CertificateAuthority(
            Pem.certificates(text.substring(0, key)).getFirst(),
            MachineProof.privateKey(text.substring(key)));
    X509Certificate own = Pem.certificates(Files.readString(authorityFile())).getFirst();
    String proof = MachineProof.sign(other.key(), exported.toString());
    if (!other.certificate().equals(own)
        || !MachineProof.holds(own.getPublicKey(), exported.toString(), proof)) {
      throw new IOException(exported + " is the authority of another cluster");
    }
    keepAuthority(other);
  }

  /**
   * The machine's key, made when it is first needed: an answer to a question about it may be lost.
   */
  KeyPair ownKey() throws IOException {
    if (!Files.exists(keyFile())) {
      KeyPair made = CertificateAuthority.keyPair();
      SecretFile.replace(folder.resolve("machine.pub"), MachineProof.text(made.getPublic()));
      SecretFile.replace(keyFile(), Pem.of(made.getPrivate()));
    }
    SecretFile.requireOwnerOnly(keyFile());
    return MachineProof.pair(
        Files.readString(folder.resolve("machine.pub")), Files.readString(keyFile()));
  }

  /** The certificate this machine shows now. */
  X509Certificate certificate() throws IOException {
    return Pem.certificates(Files.readString(certificateFile())).getFirst();
  }

  void keepCertificate(String chain) throws IOException {
    SecretFile.replace(certificateFile(), chain);
  }

  String self() throws IOException {
    return Files.readString(folder.resolve(SELF), UTF_8).strip();
  }

  /** From here on this machine belongs to the cluster. */
  void keepSelf(String name) throws IOException {
    SecretFile.replace(folder.resolve(SELF), name + "\n");
  }

  ClusterRoster roster() throws IOException {
    return read(ROSTER, ClusterRoster.class);
  }

  void keepRoster(ClusterRoster roster) throws IOException {
    SecretFile.replace(revokedFile(), String.join("\n", roster.revoked()) + "\n");
    write(ROSTER, roster);
  }

  /**
   * Takes another machine's list if it holds and the one here does not: a command may have written
   * another in between.
   *
   * @return the list that holds
   */
  ClusterRoster follow(ClusterRoster told) throws IOException {
    return locked(
        () -> {
          ClusterRoster own = roster();
          if (!told.isNewerThan(own)) {
            return own;
          }
          keepRoster(told);
          return told;
        });
  }

  /** Services whose log this machine is going to found. */
  Set<String> founding() throws IOException {
    Path file = folder.resolve(FOUNDING);
    return Files.exists(file) ? Set.copyOf(Files.readAllLines(file, UTF_8)) : Set.of();
  }

  void keepFounding(Set<String> services) throws IOException {
    String lines = services.stream().sorted().map(each -> each + "\n").collect(joining());
    SecretFile.replace(folder.resolve(FOUNDING), lines);
  }

  /** A log is there, and will not be founded again. */
  void founded(String service) throws IOException {
    locked(
        () -> {
          var left = new HashSet<>(founding());
          if (left.remove(service)) {
            keepFounding(left);
          }
          return left;
        });
  }

  Invitations invitations() throws IOException {
    return Files.exists(folder.resolve(INVITATIONS))
        ? read(INVITATIONS, Invitations.class)
        : Invitations.NONE;
  }

  void keepInvitations(Invitations invitations) throws IOException {
    write(INVITATIONS, invitations);
  }

  /** What is read and written in one go. */
  @FunctionalInterface
  interface Change<T> {
    T make() throws IOException;
  }

  /** One at a time, in this process and in others. */
  <T> T locked(Change<T> change) throws IOException {
    TURN.acquireUninterruptibly();
    try (var channel = FileChannel.open(folder.resolve(LOCK), CREATE, WRITE);
        var _ = channel.lock()) {
      return change.make();
    } finally {
      TURN.release();
    }
  }

  ClusterRoster change(UnaryOperator<ClusterRoster> change) throws IOException {
    return locked(
        () -> {
          ClusterRoster next = change.apply(roster());
          keepRoster(next);
          return next;
        });
  }

  private <T> T read(String name, Class<T> type) throws IOException {
    return switch (Json.tolerant().read(Files.readAllBytes(folder.resolve(name)), type)) {
      case JsonRead.Value<T>(T value) -> value;
      case JsonRead.Bad<T>(var fault) ->
          throw new IOException(folder.resolve(name) + ": " + fault.detail());
    };
  }

  private void write(String name, Object value) throws IOException {
    SecretFile.replace(folder.resolve(name), new String(Json.plain().write(value), UTF_8) + "\n");
  }
}
