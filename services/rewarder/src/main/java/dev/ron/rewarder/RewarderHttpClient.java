package dev.ron.rewarder;

import dev.ron.http.client.HttpClient;
import dev.ron.kernel.supervise.Door;

/**
 * The client that asks the storage and the ledger, as a member of the tree: it stands above every
 * member that uses it, so that it is closed when the last of them has ended.
 *
 * <p>Threading: opened and closed by the tree, once each.
 */
public record RewarderHttpClient(HttpClient client) implements Door {
  @Override
  public void open() {
    // A client accepts no connections.
  }

  @Override
  public void stopIntake() {
    // Runs and payments under way go on until the drain reaches them.
  }

  @Override
  public void release() {
    client.close();
  }
}
