package dev.ron.capability;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.List;

/**
 * The V2 binary form of libmacaroons, read strictly.
 *
 * <pre>
 * token   = %x02 [location] identifier END *(identifier END) END signature
 * field   = type length bytes      ; type and length are varints
 * type    = location 1, identifier 2, signature 6; END is a single zero byte
 * </pre>
 *
 * <p>One token has one encoding: a varint longer than it needs to be, an empty field, a field out
 * of order and a byte after the signature are refused. So are third-party caveats (field 4): Ron
 * discharges none, and a caveat that cannot be checked must not pass.
 *
 * <p>Threading: immutable.
 */
public final class MacaroonCodec {
  private static final int VERSION = 2;
  private static final int END = 0;
  private static final int LOCATION = 1;
  private static final int IDENTIFIER = 2;
  private static final int VERIFICATION_ID = 4;
  private static final int SIGNATURE = 6;

  private MacaroonCodec() {}

  /** What reading a token gives: the token, or why it is none. */
  public sealed interface Decoding {
    /** The bytes were a token; nothing is said yet about its signature. */
    record Decoded(Macaroon macaroon) implements Decoding {}

    /** The bytes were no token. */
    record Failed(CapabilityFault.Malformed fault) implements Decoding {}
  }

  /** Reads the base64 form. */
  public static Decoding decode(String text) {
    try {
      return new Decoding.Decoded(read(TokenText.decode(text)));
    } catch (TokenFormatException unreadable) {
      return new Decoding.Failed(new CapabilityFault.Malformed(unreadable.reason()));
    }
  }

  /** Reads the binary form. */
  public static Decoding decode(byte[] encoded) {
    try {
      return new Decoding.Decoded(read(encoded));
    } catch (TokenFormatException unreadable) {
      return new Decoding.Failed(new CapabilityFault.Malformed(unreadable.reason()));
    }
  }

  /** Writes the binary form. */
  public static byte[] encode(Macaroon macaroon) {
    var out = new ByteArrayOutputStream(encodedBytes(macaroon));
    out.write(VERSION);
    if (!macaroon.location().isEmpty()) {
      writeField(out, LOCATION, macaroon.location().getBytes(UTF_8));
    }
    writeTerms(out, macaroon.identifier(), macaroon.caveatTexts());
    writeField(out, SIGNATURE, macaroon.signature());
    return out.toByteArray();
  }

  /** What is signed of a token, without where it is for and without the signature. */
  public record Terms(String identifier, List<String> caveats) {}

  /** Writes {@code %x02 identifier END *(caveat END) END}, the public half of a key pair. */
  static byte[] encodeTerms(Terms terms) {
    var out = new ByteArrayOutputStream();
    out.write(VERSION);
    writeTerms(out, terms.identifier(), terms.caveats());
    return out.toByteArray();
  }

  /** Reads the same as strictly as a token. */
  static Terms readTerms(byte[] encoded) throws TokenFormatException {
    ByteBuffer in = opened(encoded);
    String identifier = text(in, IDENTIFIER, "identifier");
    end(in, "identifier");
    var terms = new Terms(identifier, List.copyOf(caveats(in)));
    requireNoMore(in, "caveats");
    return terms;
  }

  /** Writes {@code %x02 *(caveat END) END}: caveats that are sent beside a key pair. */
  static byte[] encodeCaveats(List<String> caveats) {
    var out = new ByteArrayOutputStream();
    out.write(VERSION);
    writeCaveats(out, caveats);
    return out.toByteArray();
  }

  /** Reads the same; none at all is no reason to send it. */
  static List<String> readCaveats(byte[] encoded) throws TokenFormatException {
    ByteBuffer in = opened(encoded);
    List<String> caveats = List.copyOf(caveats(in));
    requireNoMore(in, "caveats");
    if (caveats.isEmpty()) {
      throw new TokenFormatException("it has no caveat");
    }
    return caveats;
  }

  /** The length of the binary form, without making it. */
  static int encodedBytes(Macaroon macaroon) {
    int bytes = 1 + fieldBytes(macaroon.identifier()) + 1;
    if (!macaroon.location().isEmpty()) {
      bytes += fieldBytes(macaroon.location());
    }
    for (String caveat : macaroon.caveatTexts()) {
      bytes += fieldBytes(caveat) + 1;
    }
    return bytes + 1 + 2 + SignatureChain.SIGNATURE_BYTES;
  }

  static Macaroon read(byte[] encoded) throws TokenFormatException {
    ByteBuffer in = opened(encoded);
    String location = peek(in) == LOCATION ? text(in, LOCATION, "location") : "";
    String identifier = text(in, IDENTIFIER, "identifier");
    end(in, "identifier");
    List<String> caveats = caveats(in);
    byte[] signature = field(in, SIGNATURE, "signature");
    if (signature.length != SignatureChain.SIGNATURE_BYTES) {
      throw new TokenFormatException(
          "its signature is not " + SignatureChain.SIGNATURE_BYTES + " bytes");
    }
    requireNoMore(in, "signature");
    return new Macaroon(location, identifier, caveats, signature);
  }

  private static ByteBuffer opened(byte[] encoded) throws TokenFormatException {
    if (encoded.length > TokenText.BYTES_MAX) {
      throw new TokenFormatException("it is longer than " + TokenText.BYTES_MAX + " bytes");
    }
    var in = ByteBuffer.wrap(encoded);
    if (!in.hasRemaining() || in.get() != VERSION) {
      throw new TokenFormatException("it is not a version 2 macaroon");
    }
    return in;
  }

  private static void requireNoMore(ByteBuffer in, String after) throws TokenFormatException {
    if (in.hasRemaining()) {
      throw new TokenFormatException("bytes follow its " + after);
    }
  }

  private static List<String> caveats(ByteBuffer in) throws TokenFormatException {
    var caveats = new ArrayList<String>();
    while (peek(in) != END) {
      if (caveats.size() == Macaroon.CAVEATS_MAX) {
        throw new TokenFormatException("it has more than " + Macaroon.CAVEATS_MAX + " caveats");
      }
      caveats.add(text(in, IDENTIFIER, "caveat"));
      if (peek(in) == VERIFICATION_ID) {
        throw new TokenFormatException("it has a third-party caveat, which is not supported");
      }
      end(in, "caveat");
    }
    end(in, "caveats");
    return caveats;
  }

  private static int peek(ByteBuffer in) throws TokenFormatException {
    if (!in.hasRemaining()) {
      throw new TokenFormatException("it ends too early");
    }
    return in.get(in.position());
  }

  private static void end(ByteBuffer in, String after) throws TokenFormatException {
    if (peek(in) != END) {
      throw new TokenFormatException("a field it may not have follows its " + after);
    }
    in.get();
  }

  private static String text(ByteBuffer in, int type, String name) throws TokenFormatException {
    byte[] bytes = field(in, type, name);
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException _) {
      throw new TokenFormatException("its " + name + " is not UTF-8");
    }
  }

  private static byte[] field(ByteBuffer in, int type, String name) throws TokenFormatException {
    if (peek(in) != type) {
      throw new TokenFormatException("its " + name + " is missing");
    }
    in.get();
    int length = length(in);
    // Checked before the array is made: the length comes from an untrusted client.
    if (length == 0 || length > in.remaining()) {
      throw new TokenFormatException("its " + name + " has a length that cannot be");
    }
    var bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  /** Two varint bytes reach 16383, past any token; a third can only be an attack or padding. */
  private static int length(ByteBuffer in) throws TokenFormatException {
    int low = peek(in);
    in.get();
    if (low >= 0) {
      return low;
    }
    int high = peek(in);
    in.get();
    if (high <= 0) {
      throw new TokenFormatException("a field length is too long or padded");
    }
    return (low & 0x7f) | high << 7;
  }

  private static void writeTerms(
      ByteArrayOutputStream out, String identifier, List<String> caveats) {
    writeField(out, IDENTIFIER, identifier.getBytes(UTF_8));
    out.write(END);
    writeCaveats(out, caveats);
  }

  private static void writeCaveats(ByteArrayOutputStream out, List<String> caveats) {
    for (String caveat : caveats) {
      writeField(out, IDENTIFIER, caveat.getBytes(UTF_8));
      out.write(END);
    }
    out.write(END);
  }

  private static void writeField(ByteArrayOutputStream out, int type, byte[] bytes) {
    out.write(type);
    if (bytes.length > 0x7f) {
      out.write((bytes.length & 0x7f) | 0x80);
      out.write(bytes.length >> 7);
    } else {
      out.write(bytes.length);
    }
    out.writeBytes(bytes);
  }

  private static int fieldBytes(String text) {
    int length = text.getBytes(UTF_8).length;
    return 1 + (length > 0x7f ? 2 : 1) + length;
  }
}
