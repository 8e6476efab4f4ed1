package dev.ron.node.cli;

import dev.ron.blake3.Address;
import dev.ron.blake3.CheckResult;
import dev.ron.client.StorageClient;
import java.io.IOException;
import java.net.URI;
import picocli.CommandLine.Option;

/** Where the storage is and the capability to show it. */
final class StorageOptions {
  @Option(
      names = "--url",
      defaultValue = "${env:RON_URL_STORAGE:-http://127.0.0.1:8083}",
      description = "The storage; ${DEFAULT-VALUE} if not given.")
  private String url = "http://127.0.0.1:8083";

  @Option(
      names = "--cap",
      defaultValue = "${env:RON_CAP:-}",
      description = "The capability to show; the variable RON_CAP if not given.")
  private String capability = "";

  @Option(names = "--json", description = "One JSON object a line, and no progress bar.")
  private boolean json;

  boolean json() {
    return json;
  }

  StorageClient client() throws IOException {
    return new StorageClient(CommandClient.scope(), URI.create(url), capability);
  }

  /** Only for a person who watches. */
  ProgressBar bar(String label) {
    return ProgressBar.watching(label, !json);
  }

  static Address address(String text) {
    return switch (Address.parse(text)) {
      case CheckResult.Good<Address>(Address address) -> address;
      case CheckResult.Bad<Address> _ ->
          throw new IllegalArgumentException(
              "%s is no address: b3: and 64 lowercase hex digits".formatted(text));
    };
  }
}
