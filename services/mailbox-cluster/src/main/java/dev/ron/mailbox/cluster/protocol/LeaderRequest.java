package dev.ron.mailbox.cluster.protocol;

import dev.ron.mailbox.core.Command;
import dev.ron.mailbox.core.message.Ulid;
import dev.ron.mailbox.shard.ReceiveRequest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * What one machine of a cluster asks the one that decides for a shard.
 *
 * <p>Rights are checked by the machine that took the request in. What may be done to a message only
 * if it is of a certain topic travels with that topic, so that the answering machine can tell.
 *
 * <p>Whose request it is stands at the end of it, for the turns that tenants take at the shard. A
 * machine of before this was told reads no further than what it knows, and one that is told nothing
 * lets the request stand in the line of those that are no tenant's.
 *
 * <p>Threading: immutable.
 */
public sealed interface LeaderRequest {
  /** The number of {@link TopicOf}. */
  int TOPIC_OF = 3;

  /** The number of {@link Copy}. */
  int COPY = 4;

  /** The number of {@link Many}. */
  int MANY = 5;

  /** The number of a {@link Receive} that names its attempt. */
  int RECEIVE_AGAIN = 6;

  /**
   * To do something.
   *
   * @param millis how long the answer is waited for
   * @param tenant whose request it is; empty if that was not told
   */
  record Do(int shard, Command command, long millis, String tenant) implements LeaderRequest {}

  /**
   * To hand out messages.
   *
   * @param waitMillis for the first of them; 0 for not at all
   * @param tenant whose request it is; empty if that was not told
   */
  record Receive(int shard, ReceiveRequest request, long waitMillis, long millis, String tenant)
      implements LeaderRequest {}

  /** The topic of a message; counted as nothing if there is none. */
  record TopicOf(int shard, Ulid id) implements LeaderRequest {}

  /** A part of the state, for a machine that is too far behind; see {@code StateCopy}. */
  record Copy(long kind, long from) implements LeaderRequest {}

  /** What has gathered on one machine; each is answered in its place. */
  record Many(List<Do> all) implements LeaderRequest {
    public Many {
      all = List.copyOf(all);
    }
  }

  /** Several that were encoded one by one, as {@link Many}. */
  static byte[] together(List<byte[]> questions) {
    int length = questions.stream().mapToInt(each -> Integer.BYTES + each.length).sum();
    ByteBuffer out = ByteBuffer.allocate(1 + Integer.BYTES + length);
    out.put((byte) MANY).putInt(questions.size());
    questions.forEach(each -> out.putInt(each.length).put(each));
    return out.array();
  }

  /**
   * @param topic of the message that a word about one is about; if it is not known, all that its
   *     caller reaches
   */
  static byte[] encode(LeaderRequest question, String topic) {
    var bytes = new ByteArrayOutputStream();
    var out = new DataOutputStream(bytes);
    try {
      switch (question) {
        case Do(int shard, Command command, long millis, String tenant) -> {
          out.writeByte(1);
          out.writeInt(shard);
          out.writeLong(millis);
          CommandCodec.write(command, topic, out);
          writeTenant(tenant, out);
        }
        case Receive(
                int shard,
                ReceiveRequest request,
                long waitMillis,
                long millis,
                String tenant) -> {
          boolean again = !request.attemptId().isEmpty();
          out.writeByte(again ? RECEIVE_AGAIN : 2);
          out.writeInt(shard);
          out.writeUTF(request.topic());
          out.writeLong(request.visibilityMillis());
          out.writeInt(request.messagesMax());
          out.writeLong(request.bytesMax());
          out.writeLong(waitMillis);
          out.writeLong(millis);
          if (again) {
            out.writeUTF(request.attemptId());
          }
          writeTenant(tenant, out);
        }
        case TopicOf(int shard, Ulid id) -> {
          out.writeByte(TOPIC_OF);
          out.writeInt(shard);
          CommandCodec.write(id, out);
        }
        case Copy(long kind, long from) -> {
          out.writeByte(COPY);
          out.writeLong(kind);
          out.writeLong(from);
        }
        case Many _ -> throw new IllegalArgumentException("each by itself, see together");
      }
    } catch (IOException never) {
      throw new UncheckedIOException(never);
    }
    return bytes.toByteArray();
  }

  /** The number of a question, without the rest of it. */
  static int number(ByteBuffer question) {
    return question.hasRemaining() ? question.get(question.position()) : 0;
  }

  static LeaderRequest decode(ByteBuffer from) throws IOException {
    byte[] bytes = new byte[from.remaining()];
    from.duplicate().get(bytes);
    var in = new DataInputStream(new ByteArrayInputStream(bytes));
    int kind = in.readByte();
    return switch (kind) {
      case 1 -> {
        int shard = in.readInt();
        long millis = in.readLong();
        yield new Do(shard, CommandCodec.read(in), millis, tenant(in));
      }
      case 2 -> receive(in, false);
      case RECEIVE_AGAIN -> receive(in, true);
      case TOPIC_OF -> new TopicOf(in.readInt(), CommandCodec.id(in));
      case COPY -> new Copy(in.readLong(), in.readLong());
      case MANY -> many(in);
      default -> throw new IOException("no question has the number " + kind);
    };
  }

  private static Receive receive(DataInputStream in, boolean again) throws IOException {
    int shard = in.readInt();
    var request = new ReceiveRequest(in.readUTF(), in.readLong(), in.readInt(), in.readLong());
    long waitMillis = in.readLong();
    long millis = in.readLong();
    ReceiveRequest whole = again ? request.named(in.readUTF()) : request;
    return new Receive(shard, whole, waitMillis, millis, tenant(in));
  }

  private static void writeTenant(String tenant, DataOutputStream out) throws IOException {
    if (!tenant.isEmpty()) {
      out.writeUTF(tenant);
    }
  }

  private static String tenant(DataInputStream in) throws IOException {
    return in.available() > 0 ? in.readUTF() : "";
  }

  private static Many many(DataInputStream in) throws IOException {
    var all = new ArrayList<Do>();
    for (int left = in.readInt(); left > 0; left--) {
      if (!(decode(ByteBuffer.wrap(in.readNBytes(in.readInt()))) instanceof Do one)) {
        throw new IOException("only what is to be done comes together with others");
      }
      all.add(one);
    }
    return new Many(all);
  }
}
