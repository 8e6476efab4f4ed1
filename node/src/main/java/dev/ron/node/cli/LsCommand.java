package dev.ron.node.cli;

import dev.ron.blake3.Address;
import dev.ron.client.StorageClient;
import dev.ron.client.StorageClient.Page;
import dev.ron.client.StorageClient.Stored;
import dev.ron.node.profile.Terminal;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Lists what a running storage holds.
 *
 * <p>Threading: owned by the thread that runs the command.
 */
@Command(name = "ls", description = "List objects in the order of their addresses.")
public final class LsCommand implements Callable<Integer> {
  private static final int PAGE = 1000;

  @Mixin private final StorageOptions storage = new StorageOptions();

  @Option(names = "--limit", defaultValue = "0", description = "Objects at most; 0 is all.")
  private long limit;

  @Override
  public Integer call() throws IOException, InterruptedException {
    long left = limit == 0 ? Long.MAX_VALUE : limit;
    @Nullable Address after = null;
    boolean none = true;
    try (StorageClient client = storage.client()) {
      do {
        Page page = client.list(after, (int) Math.min(PAGE, left));
        page.objects().forEach(this::show);
        none &= page.objects().isEmpty();
        left -= page.objects().size();
        after = page.next() == null ? null : StorageOptions.address(page.next());
      } while (after != null && left > 0);
    }
    if (none && !storage.json() && Terminal.out()) {
      System.out.println("no objects yet; `ron put FILE` stores one");
    }
    return 0;
  }

  private void show(Stored object) {
    System.out.println(
        storage.json()
            ? "{\"address\":\"%s\",\"size\":%d}".formatted(object.address(), object.size())
            : "%12d  %s".formatted(object.size(), object.address()));
  }
}
