package dev.ron.mailbox.grpc;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.mailbox.api.RefusedEntry;
import dev.ron.mailbox.api.Send;
import dev.ron.mailbox.api.SendBatch;
import dev.ron.mailbox.api.Topics;
import dev.ron.mailbox.core.DeadLetter;
import dev.ron.mailbox.core.TopicView;
import dev.ron.mailbox.core.message.Envelope;
import dev.ron.mailbox.core.message.HashChain;
import dev.ron.mailbox.core.message.Message;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Map;

/**
 * What the mailbox answers, as Protocol Buffers; the numbers are those of {@code mailbox.proto}.
 *
 * <p>Threading: owned by the thread that writes.
 */
public final class ProtoAnswer {
  private static final int VARINT = 0;
  private static final int BYTES = 2;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private ProtoAnswer() {}

  public static byte[] sent(Send.Reply reply) {
    return new ProtoAnswer().text(1, reply.msgId()).number(2, reply.duplicate() ? 1 : 0).bytes();
  }

  public static byte[] results(List<SendBatch.Result> results) {
    return repeated(results.stream().map(ProtoAnswer::result).toList());
  }

  private static byte[] result(SendBatch.Result result) {
    return switch (result) {
      case Send.Reply sent -> sent(sent);
      case RefusedEntry(String code, String detail) ->
          new ProtoAnswer().raw(3, new ProtoAnswer().text(1, code).text(2, detail).bytes()).bytes();
    };
  }

  public static byte[] messages(List<Envelope> envelopes) {
    return repeated(envelopes.stream().map(ProtoAnswer::envelope).toList());
  }

  private static byte[] repeated(List<byte[]> each) {
    var answer = new ProtoAnswer();
    each.forEach(one -> answer.raw(1, one));
    return answer.bytes();
  }

  public static byte[] counted(int count) {
    return new ProtoAnswer().number(1, count).bytes();
  }

  /** It was done to some; the others stay where they are. */
  public static byte[] partly(int count, int left, String why) {
    return new ProtoAnswer().number(1, count).number(2, left).text(3, why).bytes();
  }

  /** One row for each shard that has some of the topic. */
  public static byte[] topics(Topics.Views views) {
    return repeated(
        views.topics().values().stream()
            .flatMap(List::stream)
            .map(row -> topic(row, views.nowMillis()))
            .toList());
  }

  private static byte[] topic(TopicView row, long nowMillis) {
    long age = row.oldestMillis() == 0 ? 0 : Math.max(0, nowMillis - row.oldestMillis());
    return new ProtoAnswer()
        .text(1, row.topic())
        .number(2, row.shard())
        .number(3, row.ready())
        .number(4, row.delayed())
        .number(5, row.inFlight())
        .number(6, row.dead())
        .number(7, age)
        .number(8, row.sent())
        .number(9, row.acked())
        .bytes();
  }

  public static byte[] deadLetters(List<DeadLetter> letters) {
    return repeated(letters.stream().map(each -> deadLetter(each, false)).toList());
  }

  public static byte[] deadLetter(DeadLetter letter) {
    return deadLetter(letter, true);
  }

  private static byte[] deadLetter(DeadLetter letter, boolean withPayload) {
    Message message = letter.message();
    var answer =
        new ProtoAnswer()
            .text(1, message.id().toString())
            .text(2, message.topic())
            .number(3, message.tsMillis())
            .text(4, message.idemKey());
    if (withPayload) {
      answer.raw(5, letter.body());
    }
    answer.attrs(message);
    return answer
        .text(8, message.corrId())
        .number(10, letter.death().attempts())
        .text(13, letter.death().reason().code())
        .text(14, letter.death().lastError())
        .number(15, letter.death().atMillis())
        .bytes();
  }

  private void attrs(Message message) {
    for (Map.Entry<String, String> attr : message.attrs().entrySet()) {
      raw(7, new ProtoAnswer().text(1, attr.getKey()).text(2, attr.getValue()).bytes());
    }
  }

  public static byte[] envelope(Envelope envelope) {
    Message message = envelope.message();
    var answer =
        new ProtoAnswer()
            .text(1, message.id().toString())
            .text(2, message.topic())
            .number(3, message.tsMillis())
            .text(4, message.idemKey())
            .raw(5, envelope.body())
            .text(6, message.payloadHash().hex());
    answer.attrs(message);
    return answer
        .text(8, message.corrId())
        .number(9, envelope.shard())
        .number(10, envelope.attempt())
        .text(11, envelope.receipt().toString())
        .text(12, HashChain.of(message).hex())
        .bytes();
  }

  private byte[] bytes() {
    return out.toByteArray();
  }

  /** A zero is not written: that is what its absence means. */
  private ProtoAnswer number(int field, long value) {
    if (value != 0) {
      varint(((long) field << 3) | VARINT);
      varint(value);
    }
    return this;
  }

  private ProtoAnswer text(int field, String text) {
    return text.isEmpty() ? this : raw(field, text.getBytes(UTF_8));
  }

  private ProtoAnswer raw(int field, byte[] bytes) {
    varint(((long) field << 3) | BYTES);
    varint(bytes.length);
    out.writeBytes(bytes);
    return this;
  }

  private void varint(long value) {
    long left = value;
    while ((left & ~0x7fL) != 0) {
      out.write((int) ((left & 0x7f) | 0x80));
      left >>>= 7;
    }
    out.write((int) left);
  }
}
