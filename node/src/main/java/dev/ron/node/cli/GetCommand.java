package dev.ron.node.cli;

import dev.ron.blake3.Address;
import dev.ron.client.StorageClient;
import dev.ron.node.profile.Terminal;
import dev.ron.node.profile.TerminalGuard;
import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Reads an object from a running storage; every byte is verified before it is written.
 *
 * <p>Threading: owned by the thread that runs the command.
 */
@Command(name = "get", description = "Read an object, verified, to --out or standard output.")
public final class GetCommand implements Callable<Integer> {
  private static final Path STANDARD = Path.of("-");

  @Mixin private final StorageOptions storage = new StorageOptions();

  @Parameters(paramLabel = "ADDRESS")
  private String address = "";

  @Option(
      names = {"-o", "--out"},
      description = "The file to write, which appears when it is whole; - is standard output.")
  private @Nullable Path out;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Address wanted = StorageOptions.address(address);
    try (StorageClient client = storage.client();
        ProgressBar bar = storage.bar(address)) {
      if (out == null || out.equals(STANDARD)) {
        // Not closed: later code may still print to standard output.
        var raw = new BufferedOutputStream(TerminalGuard.raw(System.out), 1 << 16);
        OutputStream to = out == null && Terminal.out() ? new TextOnly(raw) : raw;
        client.get(wanted, to, bar);
        to.flush();
        return 0;
      }
      long size = file(client, wanted, out, bar);
      if (storage.json()) {
        System.out.println("{\"address\":\"%s\",\"size\":%d}".formatted(wanted, size));
      }
      return 0;
    }
  }

  /** Beside the file until it is whole; gone if it never is. */
  private static long file(StorageClient client, Address wanted, Path file, ProgressBar bar)
      throws IOException, InterruptedException {
    Path part = file.resolveSibling(file.getFileName() + ".part");
    try {
      long size;
      try (OutputStream to = new BufferedOutputStream(Files.newOutputStream(part), 1 << 16)) {
        size = client.get(wanted, to, bar);
      }
      Files.move(part, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
      return size;
    } finally {
      Files.deleteIfExists(part);
    }
  }

  /** A terminal obeys what other bytes say; a text has no zero byte at its beginning. */
  static final class TextOnly extends FilterOutputStream {
    private static final int LOOKED_AT = 2048;
    private int seen;

    TextOnly(OutputStream to) {
      super(to);
    }

    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      int end = offset + Math.min(length, LOOKED_AT - seen);
      for (int i = offset; i < end; i++) {
        if (bytes[i] == 0) {
          throw new IOException(
              "the object is no text and can upset a terminal: write it to a file with --out FILE,"
                  + " or print it all the same with --out -");
        }
      }
      seen += end - offset;
      out.write(bytes, offset, length);
    }
  }
}
