package dev.ron.mailbox.sqs.redrive;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.http.Refusal;
import dev.ron.mailbox.sqs.protocol.RequestTree;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Names a move: base64 of JSON, as clients know it.
 *
 * <p>Threading: immutable.
 */
record MoveTaskHandle(String taskId, String sourceArn) {
  String text() {
    String json = "{\"taskId\":\"%s\",\"sourceArn\":\"%s\"}".formatted(taskId, sourceArn);
    return Base64.getEncoder().encodeToString(json.getBytes(UTF_8));
  }

  static Optional<MoveTaskHandle> read(String text) {
    try {
      Map<String, @Nullable Object> members = RequestTree.object(Base64.getDecoder().decode(text));
      return members.get("taskId") instanceof String id
              && members.get("sourceArn") instanceof String arn
          ? Optional.of(new MoveTaskHandle(id, arn))
          : Optional.empty();
    } catch (IllegalArgumentException | Refusal _) {
      return Optional.empty();
    }
  }
}
