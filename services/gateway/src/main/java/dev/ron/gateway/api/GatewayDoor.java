package dev.ron.gateway.api;

import dev.ron.gateway.route.GatewayClients;
import dev.ron.http.server.HttpServer;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.supervise.Door;
import dev.ron.kernel.time.Deadline;

/**
 * The listener, and the client that goes with it: when the one drains, the other tries nothing
 * again.
 *
 * <p>Threading: opened and closed by the tree, once each.
 */
public record GatewayDoor(
    HttpServer server, GatewayClients clients, Watch<Boolean> shutdown, Broadcast<String> events)
    implements Door {
  @Override
  public void open() throws Exception {
    server.open();
  }

  @Override
  public void stopIntake() {
    shutdown.set(true);
    events.publish("draining");
    server.stopIntake();
  }

  @Override
  public Requests drain(Deadline deadline) throws InterruptedException {
    return server.drain(deadline);
  }

  @Override
  public void hasten() {
    server.hasten();
  }

  @Override
  public void release() throws InterruptedException {
    server.release();
    clients.close();
  }
}
