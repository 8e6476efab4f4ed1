package dev.ron.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.capability.AccessDecision;
import dev.ron.capability.Verifier;
import dev.ron.capability.caveat.AccessRequest;
import dev.ron.capability.caveat.Caveat;
import dev.ron.kernel.time.VirtualTime;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A token that a service always has and a thief has for a while. */
final class RenewedTokenTest {
  @TempDir private Path data;

  @Test
  void itIsRenewedBeforeItEndsAndAnOldOneIsWorthNothing() throws Exception {
    NodeKeys keys = NodeKeys.openOrMake(data);
    var time = new VirtualTime();
    var verifier = new Verifier(keys.trust());
    var token = new RenewedToken(verifier, time, List.of(Caveat.parse("op = peer")));
    String first = token.get();
    assertThat(token.get()).as("not minted for each request").isEqualTo(first);
    time.advance(RenewedToken.LIFE.dividedBy(2));
    String second = token.get();
    assertThat(second).isNotEqualTo(first);
    assertThat(good(verifier, first, time)).as("a request under way is let in").isTrue();
    time.advance(RenewedToken.LIFE.dividedBy(2));
    assertThat(good(verifier, first, time)).isFalse();
    assertThat(good(verifier, second, time)).isTrue();
  }

  private static boolean good(Verifier verifier, String token, VirtualTime time) {
    return verifier.verify(token, AccessRequest.of("storage", "peer", time.wall()))
        instanceof AccessDecision.Granted;
  }
}
