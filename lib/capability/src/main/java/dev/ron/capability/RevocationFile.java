package dev.ron.capability;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * {@link Revocations} on disk: one line for each, appended and flushed before the call returns.
 *
 * <pre>
 * ron1:k01234567:00112233445566778899aabbccddeeff 2026-11-15T10:00:00Z
 * </pre>
 *
 * <p>A last line without its end is an append that a crash cut short, and whose caller was never
 * told that it was done: reading skips it and the next append removes it. Any other line that
 * cannot be read stops the reader, because forgetting a revocation is worse than not starting.
 *
 * <p>Threading: thread-safe across processes for appends, which hold the file's lock; two appends
 * within one process must not overlap, the JDK refuses the second.
 */
public final class RevocationFile {
  /** Room for as many of the longest lines as {@link Revocations} can hold. */
  private static final long FILE_BYTES_MAX = 128L * Revocations.TOKENS_MAX;

  private RevocationFile() {}

  /** Reads all of it; a file that is not there has none. */
  public static Revocations read(Path file) throws IOException {
    if (Files.notExists(file)) {
      return Revocations.NONE;
    }
    SecretFile.requireOwnerOnly(file);
    requireRoom(file, Files.size(file));
    var ids = new HashSet<TokenId>();
    String text = Files.readString(file, UTF_8);
    int lineNumber = 0;
    int start = 0;
    for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      lineNumber++;
      Optional<TokenId> id = id(text.substring(start, end));
      if (id.isEmpty()) {
        throw new IOException("%s, line %d: not a revocation".formatted(file, lineNumber));
      }
      ids.add(id.get());
      start = end + 1;
    }
    return new Revocations(ids);
  }

  /** Adds one, durably. */
  public static void append(Path file, TokenId id, Instant now) throws IOException {
    boolean fresh = Files.notExists(file);
    try (var channel =
            FileChannel.open(file, Set.of(CREATE, READ, WRITE), SecretFile.CREATE_OWNER_ONLY);
        var _ = channel.lock()) {
      long end = endOfLastLine(channel);
      String line = id.text() + " " + now + "\n";
      // Refused here, because a file that is too long would stop the next start.
      requireRoom(file, end + line.length());
      channel.truncate(end);
      channel.position(end);
      SecretFile.writeAll(channel, line);
      channel.force(true);
    }
    if (fresh) {
      SecretFile.flushDirectory(file);
    }
  }

  private static void requireRoom(Path file, long bytes) throws IOException {
    if (bytes > FILE_BYTES_MAX) {
      throw new IOException(file + " is full: rotate the key with a short grace and start it anew");
    }
  }

  private static long endOfLastLine(FileChannel channel) throws IOException {
    var one = ByteBuffer.allocate(1);
    for (long end = channel.size(); end > 0; end--) {
      channel.read(one.clear(), end - 1);
      if (one.get(0) == '\n') {
        return end;
      }
    }
    return 0;
  }

  private static Optional<TokenId> id(String line) {
    int space = line.indexOf(' ');
    if (space < 0) {
      return Optional.empty();
    }
    try {
      Instant.parse(line.substring(space + 1));
    } catch (DateTimeException _) {
      return Optional.empty();
    }
    return TokenId.parse(line.substring(0, space));
  }
}
