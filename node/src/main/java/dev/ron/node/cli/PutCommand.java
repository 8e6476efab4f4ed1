package dev.ron.node.cli;

import dev.ron.client.StorageClient;
import dev.ron.client.StorageClient.Stored;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/**
 * Stores files in a running storage, and prints their addresses as b3sum does.
 *
 * <p>Threading: owned by the thread that runs the command.
 */
@Command(
    name = "put",
    description =
        "Store files; `-` is standard input. A file that was interrupted goes on where it was.")
public final class PutCommand implements Callable<Integer> {
  @Mixin private final StorageOptions storage = new StorageOptions();

  @Parameters(paramLabel = "FILE", arity = "1..*")
  private List<String> files = List.of();

  @Override
  public Integer call() throws IOException, InterruptedException {
    try (StorageClient client = storage.client()) {
      for (String file : files) {
        Stored stored = put(client, file);
        System.out.println(
            storage.json()
                ? "{\"address\":\"%s\",\"size\":%d}".formatted(stored.address(), stored.size())
                : stored.address() + "  " + file);
      }
    }
    return 0;
  }

  private Stored put(StorageClient client, String file) throws IOException, InterruptedException {
    try (ProgressBar bar = storage.bar(file)) {
      return file.equals("-") ? client.put(System.in, bar) : client.put(Path.of(file), bar);
    }
  }
}
