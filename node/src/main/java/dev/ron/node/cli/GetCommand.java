package dev.ron.node.cli;

import dev.ron.blake3.Address;
import dev.ron.client.StorageClient;
import java.io.BufferedOutputStream;
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
  @Mixin private final StorageOptions storage = new StorageOptions();

  @Parameters(paramLabel = "ADDRESS")
  private String address = "";

  @Option(
      names = {"-o", "--out"},
      description = "The file to write; it appears when it is whole.")
  private @Nullable Path out;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Address wanted = StorageOptions.address(address);
    try (StorageClient client = storage.client();
        ProgressBar bar = storage.bar(address)) {
      if (out == null) {
        // Not closed: later code may still print to standard output.
        var to = new BufferedOutputStream(System.out, 1 << 16);
        client.get(wanted, to, bar);
        to.flush();
        return 0;
      }
      Path part = out.resolveSibling(out.getFileName() + ".part");
      long size;
      try (OutputStream to = new BufferedOutputStream(Files.newOutputStream(part), 1 << 16)) {
        size = client.get(wanted, to, bar);
      }
      Files.move(part, out, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
      if (storage.json()) {
        System.out.println("{\"address\":\"%s\",\"size\":%d}".formatted(wanted, size));
      }
      return 0;
    }
  }
}
