package dev.ron.mailbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.capability.KeyRing;
import dev.ron.capability.Revocations;
import dev.ron.capability.TokenMint;
import dev.ron.capability.Trust;
import dev.ron.capability.Verifier;
import dev.ron.capability.caveat.Caveat;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Owners hold on every machine: on the one that decides, and on those that ask it. */
@Timeout(180)
final class ClusterTenantsTest {
  private static final SplittableRandom RANDOM = new SplittableRandom(24);
  private static final KeyRing RING = KeyRing.generate(RANDOM);
  private static final String ACME = token(new Caveat.Tenant("acme"));
  private static final String EVIL = token(new Caveat.Tenant("evil"));
  private static final String OPERATOR = token();

  @TempDir private Path folder;

  private static String token(Caveat... caveats) {
    return new TokenMint(RING, RANDOM).mint(List.of(caveats)).token();
  }

  /** Asks until the answer is another than 503: a leader may just be chosen. */
  private static String ask(Members members, String name, String how, String token)
      throws Exception {
    String[] words = how.split(" ", 3);
    HttpRequest request =
        HttpRequest.newBuilder(members.uri(name, words[1]))
            .timeout(Duration.ofSeconds(20))
            .header("Content-Type", "application/json")
            .header("Authorization", "Bearer " + token)
            .method(words[0], HttpRequest.BodyPublishers.ofString(words[2]))
            .build();
    Instant limit = members.time.now().plus(Machines.LIMIT);
    while (true) {
      HttpResponse<String> answer =
          members.http.send(request, HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() != 503 || members.time.now().isAfter(limit)) {
        return answer.statusCode() + " " + answer.body();
      }
      members.pause(20);
    }
  }

  private static String sent(Members members, String name, String key) throws Exception {
    return Rig.field(
        ask(
            members,
            name,
            "POST /v1/send {\"topic\":\"t-%s\",\"idem_key\":\"%s\",\"payload_b64\":\"AAAA\"}"
                .formatted(name, key),
            ACME),
        "msg_id");
  }

  @Test
  void noMachineTellsATenantOfAnothersThings() throws Exception {
    var verifier = new Verifier(new Trust(RING, new Revocations(Set.of())));
    try (var members = new Members(folder)) {
      for (String name : Machines.NAMES) {
        members.start(name, verifier, "max_attempts=1");
      }
      members.awaitAllReady();
      for (String name : Machines.NAMES) {
        String acked = sent(members, name, "acked");
        var ids = List.of(acked, sent(members, name, "dead"));
        assertThat(ask(members, name, "POST /v1/ack/" + ids.getFirst() + " {}", ACME))
            .startsWith("200 ");
        String got = ask(members, name, "POST /v1/recv {\"topic\":\"t-" + name + "\"}", ACME);
        assertThat(got).contains(ids.getLast()).contains("\"topic\":\"t-" + name + "\"");
        String nack =
            "POST /v1/nack/%s {\"receipt\":\"%s\"}"
                .formatted(ids.getLast(), Rig.field(got, "receipt"));
        assertThat(ask(members, name, nack, ACME)).startsWith("200 ");
        for (String other : Machines.NAMES) {
          for (String id : ids) {
            for (String how :
                List.of(
                    "POST /v1/ack/%s {}",
                    "POST /v1/nack/%s {}",
                    "POST /v1/extend/%s {}",
                    "GET /v1/dlq/%s ",
                    "DELETE /v1/dlq/%s ",
                    "POST /v1/dlq/%s/reprocess {}")) {
              assertThat(ask(members, other, how.formatted(id), EVIL))
                  .as(other + " " + how)
                  .startsWith("404 ");
            }
          }
          assertThat(ask(members, other, "POST /v1/dlq/reprocess {}", EVIL))
              .isEqualTo("200 {\"ok\":true,\"count\":0}");
          assertThat(ask(members, other, "GET /v1/dlq ", EVIL)).isEqualTo("200 {\"messages\":[]}");
          assertThat(ask(members, other, "GET /v1/topics ", EVIL)).isEqualTo("200 {\"topics\":[]}");
          assertThat(ask(members, other, "GET /v1/cluster ", EVIL)).startsWith("403 ");
          assertThat(ask(members, other, "GET /v1/cluster ", OPERATOR)).startsWith("200 ");
          assertThat(ask(members, other, "POST /v1/ack/" + ids.getFirst() + " {}", ACME))
              .as("an ack of an ack, at " + other)
              .startsWith("200 ");
        }
      }
      String all = ask(members, "b", "POST /v1/dlq/reprocess {}", ACME);
      assertThat(all).isEqualTo("200 {\"ok\":true,\"count\":3}");
    }
  }
}
