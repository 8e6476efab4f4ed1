package dev.ron.node.backup;

import dev.ron.blake3.Blake3;
import dev.ron.kernel.Scope;
import dev.ron.usage.Seal;
import dev.ron.usage.SealSigner;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Brings a cut into a repository: pieces that are not there, the list of files, the manifest last.
 *
 * <p>Files are append-only or immutable, and pieces begin at multiples of one size: so all but the
 * last piece of a file that has grown are there from the backup before. That one is there with its
 * length is believed, unless it is asked to read it: then what rotted is sent again, and older
 * backups that share it are whole again too.
 *
 * <p>Threading: owned by one thread.
 */
final class BackupWriter {
  static final String SECRETS = "secrets";
  static final String CONFIG = "ron.toml";

  private static final DateTimeFormatter NAME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss.SSS'Z'").withZone(ZoneOffset.UTC);

  private final Scope scope;
  private final BackupRepository repository;
  private final SealSigner signer;
  private final Map<String, Long> there;

  /** Those of which no more is to be asked than that they are there. */
  private final Predicate<String> believed;

  private long sent;
  private int mended;

  /**
   * @param reads whether pieces that are there are read, and sent again if they are not right
   */
  BackupWriter(Scope scope, BackupRepository repository, SealSigner signer, boolean reads)
      throws IOException, InterruptedException {
    this.scope = scope;
    this.repository = repository;
    this.signer = signer;
    this.there = new TreeMap<>(repository.list("pieces"));
    var read = new HashSet<String>();
    this.believed = reads ? name -> !read.add(name) : _ -> true;
  }

  /** Bytes that were not there before. */
  long sent() {
    return sent;
  }

  /** Pieces that were there and not right. */
  int mended() {
    return mended;
  }

  /**
   * @param passphrase empty leaves keys and configuration out
   * @param elsewhere what of the node is in no folder of its own
   * @param damage what is wrong with the cut
   */
  BackupManifest write(
      Cut cut,
      Optional<Path> config,
      Optional<char[]> passphrase,
      List<String> elsewhere,
      List<String> damage)
      throws IOException, InterruptedException {
    var files = new ArrayList<BackupFile>();
    var secrets = new TreeMap<String, byte[]>();
    for (CutFile file : cut.files()) {
      if (isSecret(file.name())) {
        secrets.put(file.name(), Files.readAllBytes(file.path()));
      } else {
        files.add(file(file));
      }
    }
    if (config.isPresent()) {
      secrets.put(CONFIG, Files.readAllBytes(config.get()));
    }
    if (passphrase.isPresent()) {
      files.add(bytes(SECRETS, SecretBox.close(secrets, passphrase.get())));
    }
    byte[] table = new FileTable(files).bytes();
    // What cannot be read again is no backup; a restore would be the first to say so.
    FileTable.parse(table);
    String node = Seal.nodeOf(signer.publicKeys().getFirst());
    Instant now = scope.time().wall().truncatedTo(ChronoUnit.MILLIS);
    var manifest =
        new BackupManifest(
                NAME.format(now) + "-" + node.substring(0, 8),
                node,
                now,
                Blake3.hash(table).hex(),
                bytes("list", table),
                files.size(),
                files.stream().mapToLong(BackupFile::size).sum(),
                cut.folders().disks().size(),
                leftOut(passphrase.isPresent(), elsewhere),
                damage,
                List.of())
            .signedBy(signer);
    repository.put(BackupReader.path(manifest.name()), manifest.bytes());
    return manifest;
  }

  static boolean isSecret(String name) {
    return name.startsWith("keys/") || name.startsWith("rewarder/keys/");
  }

  private static List<String> leftOut(boolean secrets, List<String> elsewhere) {
    var out = new ArrayList<String>();
    out.add("the edge's cache: it fills again from its upstreams");
    out.addAll(elsewhere);
    if (!secrets) {
      out.add(
          "keys and configuration, for want of a passphrase: a node restored without them makes new"
              + " keys, every token and key pair ends, and no encrypted object of a bucket opens");
    }
    return out;
  }

  private BackupFile file(CutFile file) throws IOException, InterruptedException {
    var pieces = new ArrayList<String>();
    try (FileChannel in = FileChannel.open(file.path())) {
      for (long at = 0; at < file.size(); at += BackupRepository.PIECE_BYTES) {
        byte[] piece = new byte[(int) Math.min(BackupRepository.PIECE_BYTES, file.size() - at)];
        read(in, at, piece, file);
        pieces.add(keep(piece));
      }
    }
    return new BackupFile(file.name(), file.size(), pieces);
  }

  private static void read(FileChannel in, long at, byte[] piece, CutFile file) throws IOException {
    ByteBuffer left = ByteBuffer.wrap(piece);
    while (left.hasRemaining()) {
      if (in.read(left, at + left.position()) < 0) {
        throw new EOFException(file.name() + " became shorter while it was read");
      }
    }
  }

  private BackupFile bytes(String name, byte[] all) throws IOException, InterruptedException {
    var pieces = new ArrayList<String>();
    for (int at = 0; at < all.length; at += BackupRepository.PIECE_BYTES) {
      int end = Math.min(all.length, at + BackupRepository.PIECE_BYTES);
      pieces.add(keep(Arrays.copyOfRange(all, at, end)));
    }
    return new BackupFile(name, all.length, pieces);
  }

  /** The address of a piece that is in the repository when this returns. */
  private String keep(byte[] piece) throws IOException, InterruptedException {
    String hex = Blake3.hash(piece).hex();
    String name = BackupRepository.piece(hex);
    Long found = there.get(name);
    boolean right = found != null && found == piece.length;
    if (right && !believed.test(name) && !isThere(name, piece)) {
      right = false;
      mended++;
    }
    if (!right) {
      repository.put(name, piece);
      there.put(name, (long) piece.length);
      sent += piece.length;
    }
    return hex;
  }

  private boolean isThere(String name, byte[] piece) throws InterruptedException {
    try {
      return Arrays.equals(repository.get(name, piece.length), piece);
    } catch (IOException unreadable) {
      return false;
    }
  }
}
