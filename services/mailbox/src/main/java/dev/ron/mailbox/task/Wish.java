package dev.ron.mailbox.task;

/** What a receiver wants. */
public record Wish(String topic, long visibilityMillis, int messagesMax, long bytesMax) {
  Ask.Receive ask(int messages, long bytes, boolean waits, Reply<Handed> reply) {
    return new Ask.Receive(topic, visibilityMillis, messages, bytes, waits, reply);
  }
}
