package dev.ron.node;

import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.node.cluster.ClusterReport;
import java.io.IOException;

/**
 * {@code GET /cluster}: the machines of the node's cluster, as the node sees them; none for a node
 * alone.
 *
 * <p>Threading: immutable.
 */
record ShowCluster(NodeMachines machines) implements Verb<Verb.None, Record> {
  @Override
  public None parse(Exchange exchange) {
    return new None();
  }

  @Override
  public Record handle(None request) throws IOException {
    return machines.report().orElse(ClusterReport.ALONE);
  }
}
