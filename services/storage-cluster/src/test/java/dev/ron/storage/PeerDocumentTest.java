package dev.ron.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The OpenAPI document of a node says what nodes send each other. */
@Timeout(60)
final class PeerDocumentTest {
  @TempDir private Path folder;

  @Test
  void everyBodyBetweenNodesIsNamed() throws Exception {
    var bodies = new TreeMap<String, String>();
    try (var cluster = new ClusterRig(folder, 2, "durability.replication=2")) {
      JsonNode document =
          JsonMapper.shared().readTree(cluster.node("a").get("/openapi.json").body());
      for (var path : document.get("paths").properties()) {
        for (var operation : path.getValue().properties()) {
          if (path.getKey().startsWith("/peer/")) {
            bodies.put(
                operation.getKey() + " " + path.getKey(),
                body(operation.getValue().path("requestBody"))
                    + " -> "
                    + body(operation.getValue().at("/responses/200")));
          }
        }
      }
    }
    String bytes = "octet-stream";
    String addresses = "kind,addresses";
    String question = "kind,members,residency,replication,shards,with,range";
    String stored = bytes + " -> address,size,fresh";
    var expected = new TreeMap<String, String>();
    expected.put("get /peer/status", "- -> node,takes_writes,knows");
    expected.put("get /peer/stat/{address}", "- -> size,coded");
    expected.put("get /peer/tree/{address}", "- -> " + bytes);
    expected.put("get /peer/coded/{address}", "- -> " + bytes);
    expected.put("get /peer/o", "- -> objects,next");
    expected.put("get /peer/o/{address}", "- -> " + bytes);
    expected.put("get /peer/shard/{address}", "- -> " + bytes);
    expected.put("put /peer/o/{address}", stored);
    expected.put("put /peer/shard/{address}", stored);
    expected.put("post /peer/shard", stored);
    expected.put("get /peer/sound/o/{address}", "- -> -");
    expected.put("get /peer/sound/shard/{address}", "- -> -");
    expected.put("delete /peer/o/{address}", "- -> -");
    expected.put("post /peer/back", "kind,address,write -> -");
    expected.put("post /peer/offer", "address,size,urgent -> -");
    expected.put("post /peer/parts", question + " -> parts");
    expected.put("post /peer/objects", question + " -> objects");
    expected.put("post /peer/promise", addresses + " -> " + addresses);
    expected.put("post /peer/have", addresses + " -> " + addresses);
    String voted = " -> granted,level,highest,record";
    expected.put("post /peer/references/prepare", "address,counter,node" + voted);
    expected.put("post /peer/references/accept", "record" + voted);
    expected.put("post /peer/references/read", "addresses -> level,records");
    expected.put("post /peer/references/named", "tenant,after,max -> level,addresses");
    expected.put("post /peer/references/changes", "run,after -> run,next,more,records");
    expected.put("post /peer/references/seal", "address,seal,on -> done");
    assertThat(bodies).isEqualTo(expected);
  }

  /** The fields of its JSON, its media type if it is bytes, or nothing. */
  private static String body(JsonNode described) {
    for (var content : described.path("content").properties()) {
      JsonNode fields = content.getValue().get("schema").path("properties");
      return content.getKey().equals("application/json")
          ? String.join(",", fields.propertyNames())
          : content.getKey().replace("application/", "");
    }
    return "-";
  }
}
