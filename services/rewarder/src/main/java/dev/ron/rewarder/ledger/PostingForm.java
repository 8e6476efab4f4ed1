package dev.ron.rewarder.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.rewarder.core.Wide;
import dev.ron.rewarder.core.payout.DoubleEntry;
import dev.ron.rewarder.core.payout.Intent;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;

/**
 * A posting of the embedded ledger as one record of its journal.
 *
 * <p>Threading: stateless.
 */
public final class PostingForm {
  private static final int VERSION = 1;
  private static final int INTENTS_MAX = 1 << 16;

  private PostingForm() {}

  public static ByteBuffer encode(DoubleEntry.Posting posting) {
    var bytes = new ByteArrayOutputStream();
    try (var out = new DataOutputStream(bytes)) {
      DoubleEntry.Book book = posting.book();
      out.writeByte(VERSION);
      writeText(out, book.runKey());
      writeText(out, book.epoch());
      writeText(out, book.asset());
      writeWide(out, book.pool());
      out.writeInt(posting.intents().size());
      for (Intent intent : posting.intents()) {
        out.writeLong(intent.line());
        writeText(out, intent.actor());
        writeWide(out, intent.amount());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
    return ByteBuffer.wrap(bytes.toByteArray());
  }

  public static DoubleEntry.Posting decode(ByteBuffer record) throws IOException {
    byte[] bytes = new byte[record.remaining()];
    record.get(bytes);
    var in = new DataInputStream(new ByteArrayInputStream(bytes));
    int version = in.readByte();
    if (version != VERSION) {
      throw new IOException("a posting of version " + version + ", known is " + VERSION);
    }
    var book = new DoubleEntry.Book(readText(in), readText(in), readText(in), readWide(in));
    int count = in.readInt();
    if (count < 0 || count > INTENTS_MAX) {
      throw new IOException("a posting of " + count + " intents");
    }
    var intents = new ArrayList<Intent>(count);
    for (int i = 0; i < count; i++) {
      intents.add(new Intent(book.runKey(), in.readLong(), readText(in), readWide(in)));
    }
    if (in.available() > 0) {
      throw new IOException("a posting with something behind it");
    }
    return new DoubleEntry.Posting(book, intents);
  }

  public static void writeText(DataOutputStream out, String text) throws IOException {
    byte[] bytes = text.getBytes(UTF_8);
    out.writeShort(bytes.length);
    out.write(bytes);
  }

  public static String readText(DataInputStream in) throws IOException {
    byte[] bytes = new byte[in.readUnsignedShort()];
    in.readFully(bytes);
    return new String(bytes, UTF_8);
  }

  public static void writeWide(DataOutputStream out, Wide value) throws IOException {
    out.writeLong(value.high());
    out.writeLong(value.low());
  }

  public static Wide readWide(DataInputStream in) throws IOException {
    return new Wide(in.readLong(), in.readLong());
  }
}
