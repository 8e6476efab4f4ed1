package dev.ron.node.usage;

import dev.ron.blake3.Address;
import dev.ron.client.ServiceClient;
import dev.ron.client.ServiceRefusal;
import dev.ron.client.StorageClient;
import dev.ron.http.Headers;
import dev.ron.http.json.JsonTree;
import dev.ron.usage.CanonicalJson;
import dev.ron.usage.SealChain;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What {@code GET /usage/seals} answered, for commands.
 *
 * <p>Threading: immutable.
 *
 * @param unsealed whether something was used that no seal has yet
 */
public record ListedSeals(List<Entry> entries, boolean unsealed) {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  public ListedSeals {
    entries = List.copyOf(entries);
  }

  /**
   * A place in the list.
   *
   * @param bytes of the seal, in their one spelling
   * @param damaged why it is no seal any more; empty for one
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Entry(long number, byte[] bytes, Optional<String> damaged, String file) {
    /** Checks it as the next one of a chain. */
    public void into(SealChain chain) throws IOException, InterruptedException {
      if (damaged.isPresent()) {
        chain.damaged(number, file, damaged.get());
      } else {
        chain.next(bytes);
      }
    }
  }

  public static ListedSeals of(ServiceClient admin) throws IOException, InterruptedException {
    byte[] answer = admin.bytes("GET", "/usage/seals", new Headers(1), new byte[0], LIMIT);
    Map<String, @Nullable Object> page = JsonTree.object(answer);
    var entries = new ArrayList<Entry>();
    if (page.get("seals") instanceof List<?> all) {
      for (Object each : all) {
        if (each instanceof Map<?, ?> seal) {
          entries.add(
              new Entry(
                  seal.get("number") instanceof Long number ? number : 0,
                  CanonicalJson.bytes(seal),
                  Optional.ofNullable(seal.get("damaged")).map(String::valueOf),
                  String.valueOf(seal.get("file"))));
        }
      }
    }
    return new ListedSeals(entries, !Boolean.FALSE.equals(page.get("unsealed")));
  }

  /** Where the accounting of seals is read; empty for what is not there. */
  public static SealChain.Source accounting(StorageClient storage) {
    return address -> read(storage, address);
  }

  private static Optional<byte[]> read(StorageClient storage, Address address)
      throws IOException, InterruptedException {
    var bytes = new ByteArrayOutputStream();
    try {
      storage.get(address, bytes, StorageClient.Progress.NONE);
      return Optional.of(bytes.toByteArray());
    } catch (ServiceRefusal refused) {
      if (refused.status() == 404) {
        return Optional.empty();
      }
      throw refused;
    }
  }
}
