package dev.ron.mailbox.grpc;

import static dev.ron.mailbox.grpc.ProtoFormReader.Type.FLAG;
import static dev.ron.mailbox.grpc.ProtoFormReader.Type.MESSAGES;
import static dev.ron.mailbox.grpc.ProtoFormReader.Type.NUMBER;
import static dev.ron.mailbox.grpc.ProtoFormReader.Type.RAW;
import static dev.ron.mailbox.grpc.ProtoFormReader.Type.TEXT;
import static dev.ron.mailbox.grpc.ProtoFormReader.Type.TEXTS;

import dev.ron.mailbox.grpc.ProtoFormReader.Field;
import java.util.Map;

/**
 * The requests of {@code mailbox.proto}: which number is which field of a form.
 *
 * <p>Threading: immutable.
 */
final class ProtoSchema {
  static final Map<Integer, Field> SEND =
      Map.of(
          1, Field.of("topic", TEXT),
          2, Field.of("idem_key", TEXT),
          3, Field.of("payload_b64", RAW),
          4, Field.of("attrs", TEXTS),
          5, Field.of("delay_ms", NUMBER),
          6, Field.of("group", TEXT),
          7, Field.of("sticky", TEXT),
          8, Field.of("refuse_duplicate", FLAG),
          9, Field.of("payload_hash", TEXT));

  static final Map<Integer, Field> SEND_BATCH = Map.of(1, new Field("messages", MESSAGES, SEND));

  static final Map<Integer, Field> RECEIVE =
      Map.of(
          1, Field.of("topic", TEXT),
          2, Field.of("visibility_ms", NUMBER),
          3, Field.of("max_messages", NUMBER),
          4, Field.of("max_bytes", NUMBER),
          5, Field.of("wait_ms", NUMBER));

  static final Map<Integer, Field> RECEIVE_STREAM =
      Map.of(
          1, Field.of("topic", TEXT),
          2, Field.of("visibility_ms", NUMBER),
          4, Field.of("max_bytes", NUMBER),
          6, Field.of("credit", NUMBER));

  static final Map<Integer, Field> SETTLE =
      Map.of(
          1, Field.of("msg_id", TEXT),
          2, Field.of("receipt", TEXT),
          3, Field.of("reason", TEXT),
          4, Field.of("delay_ms", NUMBER),
          5, Field.of("visibility_ms", NUMBER));

  static final Map<Integer, Field> TOPICS = Map.of(1, Field.of("topic", TEXT));

  static final Map<Integer, Field> DEAD_LETTERS =
      Map.of(
          1, Field.of("topic", TEXT),
          2, Field.of("reason", TEXT),
          3, Field.of("limit", NUMBER),
          4, Field.of("after", TEXT));

  static final Map<Integer, Field> DEAD_LETTER = Map.of(1, Field.of("msg_id", TEXT));

  static final Map<Integer, Field> REPROCESS =
      Map.of(
          1, Field.of("msg_id", TEXT),
          2, Field.of("topic", TEXT),
          3, Field.of("reason", TEXT),
          4, Field.of("limit", NUMBER),
          5, Field.of("per_second", NUMBER));

  private ProtoSchema() {}
}
