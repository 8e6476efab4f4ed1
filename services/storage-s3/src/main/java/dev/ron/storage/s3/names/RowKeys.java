package dev.ron.storage.s3.names;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.blake3.Address;
import dev.ron.blake3.Hash;
import dev.ron.storage.s3.core.BucketName;
import dev.ron.storage.s3.core.BucketSetting;
import dev.ron.storage.s3.core.ObjectKey;
import dev.ron.storage.s3.core.Uid;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/**
 * The keys of all rows, whose order is the order of their bytes.
 *
 * <pre>
 * B name                       a bucket
 * S bucket setting             what else is set of it
 * O bucket key                 the newest version of an object, unless it is a delete marker
 * V bucket key' ~sequence      all other versions, the newest first
 * N bucket key                 where among V the null version is
 * U bucket key' upload         an upload that is open
 * D bucket key' upload         what became of one that was completed
 * P upload part                a part of an upload, or of the object it became
 * R block owner part           a reference to a block
 * T millis upload              an upload or object whose parts are to be let go
 * G millis block               a block that lost its last reference
 * C block                      a block that is being deleted, and on which machines it is not yet
 * X block                      a block that was deleted on all machines, and when in the log
 * E sequence block             the same in the order of the log
 * W                            up to where in the log X and E were let go
 * Q                            that bytes are counted for all that is there
 * Q owner                      bytes that a tenant has stored, open uploads included
 * Q 00 upload                  bytes of an open upload
 * Z machine                    the last changes of a machine that were taken
 * </pre>
 *
 * <p>key' is the key in a form that ends itself, so that something can stand behind it: a zero byte
 * becomes 00 FF, the end is 00 01. The order is that of the keys.
 *
 * <p>Threading: stateless.
 */
public final class RowKeys {
  static final byte BUCKET = 'B';
  static final byte SETTING = 'S';
  static final byte OBJECT = 'O';
  static final byte VERSION = 'V';
  static final byte NULL_VERSION = 'N';
  static final byte UPLOAD = 'U';
  static final byte COMPLETED = 'D';
  static final byte PART = 'P';
  static final byte REFERENCE = 'R';
  static final byte TRASH = 'T';
  static final byte GARBAGE = 'G';
  static final byte CONDEMNED = 'C';
  static final byte BURIED = 'X';
  static final byte BURIED_AT = 'E';
  static final byte BURIED_FORGOTTEN = 'W';
  static final byte STORED = 'Q';
  static final byte SENDER = 'Z';

  private static final int TABLE_AND_BUCKET = 1 + Long.BYTES;

  private RowKeys() {}

  public static byte[] bucket(BucketName name) {
    return table(BUCKET).raw(name.text().getBytes(US_ASCII)).bytes();
  }

  public static byte[] buckets() {
    return table(BUCKET).bytes();
  }

  public static byte[] setting(long bucket, BucketSetting setting) {
    return settingsOf(bucket).one(setting.code()).bytes();
  }

  /** Whether it is the row of a bucket, of a setting or of a version: what rights depend on. */
  static boolean isWatched(byte[] row) {
    return switch (row[0]) {
      case BUCKET, SETTING, OBJECT, VERSION, NULL_VERSION -> true;
      default -> false;
    };
  }

  static RowWriter settingsOf(long bucket) {
    return table(SETTING).eight(bucket);
  }

  public static byte[] object(long bucket, ObjectKey key) {
    return table(OBJECT).eight(bucket).raw(key.bytes()).bytes();
  }

  /** What all objects of a bucket begin with; raw bytes of a key may stand behind it. */
  public static byte[] objects(long bucket) {
    return table(OBJECT).eight(bucket).bytes();
  }

  /** The key in a row of {@link #object}. */
  public static ObjectKey keyOfObject(byte[] row) {
    return ObjectKey.stored(Arrays.copyOfRange(row, TABLE_AND_BUCKET, row.length));
  }

  public static byte[] version(long bucket, ObjectKey key, long sequence) {
    return versionsOf(bucket, key).eight(~sequence).bytes();
  }

  /** What all versions of one object begin with. */
  public static byte[] versions(long bucket, ObjectKey key) {
    return versionsOf(bucket, key).bytes();
  }

  /** What all versions of a bucket begin with. */
  public static byte[] versions(long bucket) {
    return table(VERSION).eight(bucket).bytes();
  }

  /** Where the versions of keys that are not before this one begin; it need not be a whole key. */
  public static byte[] versionsFrom(long bucket, byte[] key) {
    return table(VERSION).eight(bucket).raw(escaped(key)).bytes();
  }

  private static RowWriter versionsOf(long bucket, ObjectKey key) {
    return table(VERSION).eight(bucket).raw(ended(key));
  }

  /** The key in a row of {@link #version} or {@link #upload}. */
  public static ObjectKey keyOfVersion(byte[] row) {
    var key = new ByteArrayOutputStream();
    int at = TABLE_AND_BUCKET;
    while (row[at] != 0 || row[at + 1] == (byte) 0xff) {
      key.write(row[at]);
      at += row[at] == 0 ? 2 : 1;
    }
    return ObjectKey.stored(key.toByteArray());
  }

  public static byte[] nullVersion(long bucket, ObjectKey key) {
    return table(NULL_VERSION).eight(bucket).raw(key.bytes()).bytes();
  }

  public static byte[] upload(long bucket, ObjectKey key, Uid upload) {
    return table(UPLOAD).eight(bucket).raw(ended(key)).raw(upload.bytes()).bytes();
  }

  /** What all of {@link #upload} begin with. */
  public static byte[] allUploads() {
    return table(UPLOAD).bytes();
  }

  /** What all uploads of a bucket begin with. */
  public static byte[] uploads(long bucket) {
    return table(UPLOAD).eight(bucket).bytes();
  }

  /** Where the uploads of keys that are not before this one begin; it need not be a whole key. */
  public static byte[] uploadsFrom(long bucket, byte[] key) {
    return table(UPLOAD).eight(bucket).raw(escaped(key)).bytes();
  }

  /** The bucket in a row that begins with one. */
  public static long bucketOf(byte[] row) {
    return ByteBuffer.wrap(row).getLong(1);
  }

  /** The upload in a row of {@link #upload} or {@link #completed}. */
  public static Uid uploadOf(byte[] row) {
    return Uid.at(row, row.length - Uid.BYTES);
  }

  public static byte[] completed(long bucket, ObjectKey key, Uid upload) {
    return table(COMPLETED).eight(bucket).raw(ended(key)).raw(upload.bytes()).bytes();
  }

  /** What all of {@link #completed} begin with. */
  public static byte[] allCompleted() {
    return table(COMPLETED).bytes();
  }

  /** Also what all rows of bytes that are stored begin with. */
  public static byte[] storedCounted() {
    return table(STORED).bytes();
  }

  public static byte[] stored(String owner) {
    return table(STORED).raw(owner.getBytes(UTF_8)).bytes();
  }

  /** Whose bytes are in a row of {@link #stored}; empty for other rows of the table. */
  public static Optional<String> ownerOfStored(byte[] row) {
    return row.length < 2 || row[1] == 0
        ? Optional.empty()
        : Optional.of(new String(row, 1, row.length - 1, UTF_8));
  }

  public static byte[] storedOpen(Uid upload) {
    return table(STORED).one(0).raw(upload.bytes()).bytes();
  }

  public static byte[] part(Uid upload, int number) {
    return table(PART).raw(upload.bytes()).four(number).bytes();
  }

  public static byte[] parts(Uid upload) {
    return table(PART).raw(upload.bytes()).bytes();
  }

  /** What all parts begin with. */
  public static byte[] allParts() {
    return table(PART).bytes();
  }

  public static Uid uploadOfPart(byte[] row) {
    return Uid.at(row, 1);
  }

  /** What all references begin with. */
  public static byte[] allReferences() {
    return table(REFERENCE).bytes();
  }

  /**
   * @param part 0 for an object that came in one piece
   */
  public static byte[] reference(Address block, Uid owner, int part) {
    return table(REFERENCE).raw(block.hash().bytes()).raw(owner.bytes()).four(part).bytes();
  }

  public static byte[] references(Address block) {
    return table(REFERENCE).raw(block.hash().bytes()).bytes();
  }

  public static byte[] trash(long millis, Uid upload) {
    return table(TRASH).eight(millis).raw(upload.bytes()).bytes();
  }

  /** Where the trash of this time and later begins. */
  public static byte[] trashFrom(long millis) {
    return table(TRASH).eight(millis).bytes();
  }

  public static long millisOf(byte[] row) {
    return ByteBuffer.wrap(row).getLong(1);
  }

  public static Uid uploadOfTrash(byte[] row) {
    return Uid.at(row, TABLE_AND_BUCKET);
  }

  public static byte[] garbage(long millis, Address block) {
    return table(GARBAGE).eight(millis).raw(block.hash().bytes()).bytes();
  }

  /** Where the garbage of this time and later begins. */
  public static byte[] garbageFrom(long millis) {
    return table(GARBAGE).eight(millis).bytes();
  }

  /** The first key behind that of this garbage. */
  static byte[] garbageAfter(NameCommand.Garbage garbage) {
    byte[] row = garbage(garbage.millis(), garbage.block());
    return Arrays.copyOf(row, row.length + 1);
  }

  public static Address blockOfGarbage(byte[] row) {
    return new Address(Hash.at(row, TABLE_AND_BUCKET));
  }

  static byte[] condemned(Address block) {
    return table(CONDEMNED).raw(block.hash().bytes()).bytes();
  }

  /** What all blocks that are being deleted begin with. */
  static byte[] condemned() {
    return table(CONDEMNED).bytes();
  }

  static Address blockOfCondemned(byte[] row) {
    return new Address(Hash.at(row, 1));
  }

  static byte[] buried(Address block) {
    return table(BURIED).raw(block.hash().bytes()).bytes();
  }

  static byte[] buriedAt(long sequence, Address block) {
    return table(BURIED_AT).eight(sequence).raw(block.hash().bytes()).bytes();
  }

  /** Where those begin that were buried at this place of the log and later. */
  static byte[] buriedFrom(long sequence) {
    return table(BURIED_AT).eight(sequence).bytes();
  }

  static long sequenceOfBuried(byte[] row) {
    return ByteBuffer.wrap(row).getLong(1);
  }

  static Address blockOfBuried(byte[] row) {
    return new Address(Hash.at(row, TABLE_AND_BUCKET));
  }

  static byte[] buriedForgotten() {
    return table(BURIED_FORGOTTEN).bytes();
  }

  /** The row in which a machine's last changes are noted. */
  public static byte[] sender(String machine) {
    return table(SENDER).text(machine).bytes();
  }

  /** The first key behind all that begin with a prefix; empty if there is none. */
  public static Optional<byte[]> after(byte[] prefix) {
    for (int last = prefix.length - 1; last >= 0; last--) {
      if (prefix[last] != (byte) 0xff) {
        byte[] next = Arrays.copyOf(prefix, last + 1);
        next[last]++;
        return Optional.of(next);
      }
    }
    return Optional.empty();
  }

  private static RowWriter table(byte table) {
    return new RowWriter().one(table);
  }

  private static byte[] ended(ObjectKey key) {
    byte[] escaped = escaped(key.bytes());
    byte[] ended = Arrays.copyOf(escaped, escaped.length + 2);
    ended[escaped.length + 1] = 1;
    return ended;
  }

  private static byte[] escaped(byte[] key) {
    var escaped = new ByteArrayOutputStream(key.length + 2);
    for (byte b : key) {
      escaped.write(b);
      if (b == 0) {
        escaped.write(0xff);
      }
    }
    return escaped.toByteArray();
  }
}
