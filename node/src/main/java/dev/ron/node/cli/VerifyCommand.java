package dev.ron.node.cli;

import dev.ron.client.StorageClient;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/**
 * Verifies objects of a running storage, end to end, without keeping them.
 *
 * <p>Threading: owned by the thread that runs the command.
 */
@Command(name = "verify", description = "Verify objects end to end: exit 1 if one is not whole.")
public final class VerifyCommand implements Callable<Integer> {
  @Mixin private final StorageOptions storage = new StorageOptions();

  @Parameters(paramLabel = "ADDRESS", arity = "1..*")
  private List<String> addresses = List.of();

  @Override
  public Integer call() throws IOException, InterruptedException {
    int exit = 0;
    try (StorageClient client = storage.client()) {
      for (String address : addresses) {
        exit |= verify(client, address) ? 0 : 1;
      }
    }
    return exit;
  }

  /** The bar ends before the verdict is printed. */
  private long verified(StorageClient client, String address)
      throws IOException, InterruptedException {
    try (ProgressBar bar = storage.bar(address)) {
      return client.verify(StorageOptions.address(address), bar);
    }
  }

  private boolean verify(StorageClient client, String address) throws InterruptedException {
    try {
      long size = verified(client, address);
      System.out.println(
          storage.json()
              ? "{\"address\":\"%s\",\"size\":%d,\"ok\":true}".formatted(address, size)
              : address + ": ok, " + ProgressBar.size(size));
      return true;
    } catch (IOException e) {
      System.out.println(
          storage.json()
              ? "{\"address\":\"%s\",\"ok\":false}".formatted(address)
              : address + ": NOT VERIFIED, " + e.getMessage());
      return false;
    }
  }
}
