package dev.ron.mailbox.sqs.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.ron.http.Refusal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;

/** Whatever bytes a client sends, they are members or a refusal; corpus replay in every build. */
final class SqsProtocolFuzzTest {
  @FuzzTest(maxDuration = "30s")
  void aBodyOfJson(byte[] body) {
    members(() -> RequestTree.json(body));
  }

  /** What was read from a form is what the same members in JSON are read as. */
  @FuzzTest(maxDuration = "30s")
  void aForm(byte[] body) {
    Optional<RequestTree> read =
        members(() -> RequestTree.form(List.of(new String(body, ISO_8859_1))));
    if (read.isPresent() && isUnicode(read.get().members())) {
      byte[] json = JsonMapper.shared().writeValueAsBytes(read.get().members());
      members(() -> RequestTree.json(json))
          .ifPresent(again -> assertThat(again.members()).isEqualTo(read.get().members()));
    }
  }

  /** A text that a client sent can always be told in all forms of an answer. */
  @FuzzTest(maxDuration = "30s")
  void aTextOfAnAnswer(byte[] bytes) {
    String text = new String(bytes, UTF_8);
    AnswerTree tree = new AnswerTree().text("Body", text).textMap("Attributes", Map.of("a", text));
    assertThat(JsonMapper.shared().readTree(AnswerText.json(tree)).path("Body").asString(""))
        .isEqualTo(text);
    assertThat(new String(AnswerText.xml("ReceiveMessage", true, tree, "id"), UTF_8))
        .doesNotContainPattern("[\\x00-\\x08\\x0B\\x0C\\x0E-\\x1F]");
  }

  private interface Reading {
    RequestTree read() throws Refusal;
  }

  /** Empty if they were refused, which must be the caller's fault. */
  private static Optional<RequestTree> members(Reading reading) {
    try {
      RequestTree tree = reading.read();
      for (String name : tree.members().keySet()) {
        look(tree, name);
      }
      return Optional.of(tree);
    } catch (Refusal refused) {
      assertThat(refused.fault().status()).isEqualTo(400);
      assertThat(refused.fault().detail()).hasSizeLessThan(1024);
      return Optional.empty();
    }
  }

  /** As every type that an action may ask for. */
  private static void look(RequestTree tree, String name) {
    for (Look each :
        List.<Look>of(
            RequestTree::text,
            RequestTree::number,
            RequestTree::bytes,
            RequestTree::texts,
            RequestTree::textMap,
            RequestTree::treeMap,
            (it, _) -> it.entries())) {
      try {
        assertThat(each.at(tree, name)).isNotNull();
      } catch (Refusal refused) {
        assertThat(refused.fault().status()).isEqualTo(400);
      }
    }
  }

  private interface Look {
    Object at(RequestTree tree, String name) throws Refusal;
  }

  private static boolean isUnicode(Map<String, ?> members) {
    return UTF_8.newEncoder().canEncode(members.toString());
  }
}
