package dev.ron.node.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.http.json.JsonTree;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A client of the rewarder: epochs with the same accounting and pool, whose roots are the same.
 *
 * <p>Threading: owned by its client's thread.
 */
final class EpochRunner implements ClusterLoad.Step {
  /** What each epoch pays {@code did:ron:a}: three sevenths of a thousand. */
  static final long PAID = 428;

  private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final String POLICY =
      "{\"id\":\"p\",\"version\":1,\"weights_ppm\":{\"m\":1000000},\"rounding\":\"floor\","
          + "\"min_payout_minor\":\"0\",\"actor_cap_minor\":null,\"pool_cap_minor\":null,"
          + "\"on_bad_line\":\"refuse\",\"signatures\":[]}";

  private final ClusterLedger ledger;
  private long number;
  private @Nullable String root;

  EpochRunner(ClusterLedger ledger) {
    this.ledger = ledger;
  }

  @Override
  public ClusterLoad.@Nullable Sequel run(ClusterClient to)
      throws IOException, InterruptedException {
    String epoch = "soak-" + number;
    String accounting = put(to, "actor,metric,units\ndid:ron:a,m,3\ndid:ron:b,m,4\n");
    String pool =
        put(to, "{\"pool_minor\":\"1000\",\"asset\":\"ROC\",\"epoch\":\"%s\"}".formatted(epoch));
    String policy = put(to, POLICY);
    String path = "/rewarder/epochs/" + epoch;
    HttpResponse<byte[]> begun =
        to.gateway(
            "POST",
            path + "/compute",
            "{\"accounting\":\"%s\",\"ledger\":\"%s\",\"policy\":\"%s\",\"dry_run\":false}"
                .formatted(accounting, pool, policy));
    if (begun.statusCode() / 100 != 2) {
      return null;
    }
    LockSupport.parkNanos(REST_NANOS);
    HttpResponse<byte[]> manifest = to.gateway("GET", path, new byte[0]);
    if (manifest.statusCode() != 200) {
      return null;
    }
    Object said = JsonTree.object(manifest.body()).get("root");
    if (said == null) {
      return null; // it is still computed, as it will say when it is asked again
    }
    if (root == null) {
      root = said.toString();
    } else if (!root.equals(said)) {
      ledger.contradicts("%s has the root %s and not %s".formatted(epoch, said, root));
    }
    ledger.epochs.put(epoch, said.toString());
    number++;
    return ClusterLoad.Sequel.NONE;
  }

  private static String put(ClusterClient to, String document)
      throws IOException, InterruptedException {
    HttpResponse<byte[]> answer = to.gateway("POST", "/o", document.getBytes(UTF_8));
    if (answer.statusCode() / 100 != 2) {
      throw new IOException("the storage answers " + answer.statusCode());
    }
    return String.valueOf(JsonTree.object(answer.body()).get("address"));
  }
}
