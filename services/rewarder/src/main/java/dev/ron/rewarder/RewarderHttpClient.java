package dev.ron.rewarder;

import dev.ron.http.client.HttpClient;
import dev.ron.kernel.supervise.Door;

/**
 * The client that asks the storage and the ledger, as a member of the tree: it stands above
 * everybody who asks with it, so that it is let go of when the last of them has ended.
 *
 * <p>Threading: opened and closed by the tree, once each.
 */
public record RewarderHttpClient(HttpClient client) implements Door {
  @Override
  public void open() {
    // A client listens to nobody.
  }

  @Override
  public void stopIntake() {
    // What is being computed and paid goes on until the drain has come to it.
  }

  @Override
  public void release() {
    client.close();
  }
}
