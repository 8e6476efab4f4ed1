package dev.ron.mailbox.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.core.Outcome;
import org.junit.jupiter.api.Test;

/** What a leader's word becomes at the machine that asked it. */
final class LeaderClientTest {
  private static String code(MailboxFault told, boolean sure) {
    return LeaderClient.said(new Outcome.Refused(told), sure)
            instanceof Outcome.Refused(MailboxFault fault)
        ? fault.code()
        : "none";
  }

  @Test
  void aTopicThatCouldNotBeCheckedIsNoWordAboutTheCaller() {
    var scope = new MailboxFault.CapScope("not this topic");
    var unknown = new MailboxFault.UnknownMessage("m");
    assertThat(code(scope, true)).as("the topic was checked").isEqualTo("cap-scope");
    assertThat(code(scope, false)).as("it came to be in between").isEqualTo("unavailable");
    assertThat(code(unknown, false)).as("still nobody knows it").isEqualTo("unknown-message");
    assertThat(LeaderClient.said(new Outcome.Done(), false)).isEqualTo(new Outcome.Done());
  }
}
