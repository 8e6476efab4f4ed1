package dev.ron.mailbox.sqs.message;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.mailbox.sqs.message.MessageAttributes.Value;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class MessageAttributesTest {
  private static Value text(String type, String value) {
    return new Value(type, value.getBytes(UTF_8));
  }

  @Test
  void haveTheSumsThatAwsGives() {
    assertThat(MessageDigests.attributes(Map.of("MyAttribute", text("String", "foobar"))))
        .isEqualTo("adb59cd4678ea5a855436b949cd07ab6");
    String trace = "Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1";
    assertThat(MessageDigests.attributes(Map.of("AWSTraceHeader", text("String", trace))))
        .isEqualTo("5ae4d5d7636402d80f4eb6d213245a88");
  }

  @Test
  void areKeptAndReadBack() {
    var all =
        new MessageAttributes(
            Map.of(
                "plain", text("String", "a"),
                "lines", text("String", "Number\n5"),
                "custom", text("String.json", "{}"),
                "number", text("Number", "5"),
                "bytes", new Value("Binary", new byte[] {0, 10, -1})));
    assertThat(all.stored())
        .containsEntry("plain", "a")
        .containsEntry("number", "Number\n5")
        .containsEntry("lines", "String\nNumber\n5");
    MessageAttributes back = MessageAttributes.ofStored(all.stored());
    assertThat(back.md5()).isEqualTo(all.md5());
    assertThat(back.bytes()).isEqualTo(all.bytes());
    assertThat(MessageAttributes.ofStored(Map.of("sqs:sender", "x", "other", "y")).values())
        .containsOnlyKeys("other");
  }

  /** The sum is that of the text that a client of either protocol reads. */
  @Test
  void ofAnotherDoorAreShownAsXmlCanHaveThem() {
    var shown = new MessageAttributes(Map.of("a", text("String", "x\uFFFD\uFFFDy")));
    MessageAttributes stored = MessageAttributes.ofStored(Map.of("a", "x\u0001\uFFFEy"));
    assertThat(stored.md5()).isEqualTo(shown.md5());
    assertThat(stored.stored()).isEqualTo(shown.stored());
  }
}
