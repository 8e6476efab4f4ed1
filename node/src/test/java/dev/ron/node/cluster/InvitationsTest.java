package dev.ron.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

final class InvitationsTest {
  private static final Instant NOW = Instant.parse("2026-11-18T12:00:00Z");
  private static final Invitations OUT = Invitations.NONE.with("s1", NOW, "").with("s2", NOW, "");

  private static String claim(Invitations all, String secret, String key, Instant at) {
    return switch (all.claim(secret, key, at)) {
      case Invitations.Claim.Good(var good) -> "good " + good.machine();
      case Invitations.Claim.Refused(String why) -> why;
    };
  }

  @Test
  void anInvitationIsForTenMinutesAndForOneKey() {
    assertThat(claim(OUT, "s1", "k1", NOW)).isEqualTo("good ");
    assertThat(claim(OUT, "s1", "k1", NOW.plusSeconds(599))).isEqualTo("good ");
    assertThat(claim(OUT, "s1", "k1", NOW.plusSeconds(600))).contains("is over");
    assertThat(claim(OUT, "s3", "k1", NOW)).contains("not known");
    assertThat(claim(OUT, "", "k1", NOW)).contains("not known");

    Invitations used = OUT.used("s1", "k1", "b");
    assertThat(claim(used, "s1", "k2", NOW)).contains("another machine has used");
    assertThat(claim(used, "s1", "k1", NOW)).as("its answer may be lost").isEqualTo("good b");
    assertThat(claim(used, "s1", "k1", NOW.plusSeconds(600))).contains("is over");
    assertThat(claim(used, "s2", "k2", NOW)).isEqualTo("good ");
  }

  @Test
  void noSecretIsKeptAndTheListDoesNotGrow() {
    assertThat(OUT.toString()).doesNotContain("s1").doesNotContain("s2");
    Invitations many = Invitations.NONE;
    for (int i = 0; i < Invitations.OPEN_MAX; i++) {
      many = many.with("secret" + i, NOW, "");
    }
    Invitations full = many;
    assertThatThrownBy(() -> full.with("more", NOW, ""))
        .hasMessageContaining("32 invitations are out");
    assertThat(full.with("more", NOW.plusSeconds(600), "").invitations()).hasSize(1);
  }

  @Test
  void anInvitationIsReadWholeOrNotAtAll() {
    var token = new JoinToken("home", List.of("10.0.0.1:8106"), "ab".repeat(32), "secret");
    assertThat(JoinToken.parse(" " + token.text() + "\n")).isEqualTo(token);
    assertThat(token.toString()).doesNotContain("secret");
    String text = token.text();
    for (String wrong :
        List.of(
            "",
            "ron-join-",
            "ron-join-e30",
            text.substring(1),
            text.substring(0, 40),
            "x" + text)) {
      assertThatThrownBy(() -> JoinToken.parse(wrong)).hasMessageContaining("no invitation");
    }
  }
}
