package dev.ron.node.backup;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * All files of a backup, a line each: size, pieces, name. Its hash is the root of the backup.
 *
 * <p>Threading: immutable.
 */
record FileTable(List<BackupFile> files) {
  private static final String HEAD = "ron-backup-files 1";
  private static final Pattern LINE =
      Pattern.compile("([0-9]{1,18}) ((?:[0-9a-f]{64}(?:,[0-9a-f]{64})*)?) (\\P{Cntrl}{1,1000})");

  FileTable {
    files = List.copyOf(files);
  }

  byte[] bytes() {
    var text = new StringBuilder(HEAD).append('\n');
    for (BackupFile file : files) {
      text.append(file.size()).append(' ').append(String.join(",", file.pieces()));
      text.append(' ').append(file.name()).append('\n');
    }
    return text.toString().getBytes(UTF_8);
  }

  static FileTable parse(byte[] bytes) throws IOException {
    List<String> lines = new String(bytes, UTF_8).lines().toList();
    if (lines.isEmpty() || !lines.getFirst().equals(HEAD)) {
      String found = lines.isEmpty() ? "nothing" : lines.getFirst();
      throw new IOException("a list of files is '%s', known is '%s'".formatted(found, HEAD));
    }
    var files = new ArrayList<BackupFile>();
    var names = new HashSet<String>();
    for (String line : lines.subList(1, lines.size())) {
      BackupFile file = file(line);
      if (!names.add(file.name())) {
        throw new IOException(file.name() + " is in the list twice");
      }
      files.add(file);
    }
    return new FileTable(files);
  }

  private static BackupFile file(String line) throws IOException {
    Matcher parts = LINE.matcher(line);
    if (!parts.matches()) {
      throw new IOException("a line of the list of files that is none");
    }
    List<String> pieces = parts.group(2).isEmpty() ? List.of() : List.of(parts.group(2).split(","));
    var file = new BackupFile(checked(parts.group(3)), Long.parseLong(parts.group(1)), pieces);
    if (Math.ceilDiv(file.size(), BackupRepository.PIECE_BYTES) != pieces.size()) {
      throw new IOException(file.name() + " has not as many pieces as its size needs");
    }
    return file;
  }

  /**
   * A name leads to no place outside of the folder it is restored to, and to no secret: those are
   * in their box, which only the passphrase makes.
   */
  private static String checked(String name) throws IOException {
    if (!isPlain(name)) {
      throw new IOException("a file is called " + name);
    }
    if (BackupWriter.isSecret(name)) {
      throw new IOException(name + " is a secret and is not under the passphrase");
    }
    return name;
  }

  /**
   * Names and single slashes alone. It is the text that must be plain, because a part of it will be
   * a path of its own: the rest of {@code storage//etc} is absolute.
   */
  static boolean isPlain(String name) {
    Path path = Path.of(name);
    return !path.isAbsolute()
        && path.normalize().equals(path)
        && !path.startsWith("..")
        && path.toString().equals(name);
  }
}
