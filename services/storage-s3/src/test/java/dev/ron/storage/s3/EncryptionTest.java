package dev.ron.storage.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Objects that the server encrypts, with its own key or with one that the client sends along. */
@Timeout(120)
final class EncryptionTest {
  private static final String SERVER = "x-amz-server-side-encryption";
  private static final String CLIENT = "x-amz-server-side-encryption-customer-";
  private static final String SOURCE = "x-amz-copy-source-server-side-encryption-customer-";
  private static final byte[] WORD = "a word that is looked for on the disk".getBytes(UTF_8);

  @TempDir private Path folder;

  private DoorRig rig;
  private HttpClient http;
  private DoorClient door;

  @BeforeEach
  void open() throws Exception {
    rig = rig();
    http = HttpClient.newHttpClient();
    door = new DoorClient(http, rig.port());
    assertThat(door.put("/bucket", new byte[0])).isEqualTo(200);
  }

  private DoorRig rig() throws Exception {
    return new DoorRig(folder.resolve("data"), "s3.master_keys=" + folder.resolve("masters"));
  }

  @AfterEach
  void close() {
    http.close();
    rig.close();
  }

  /** How bytes are stored. */
  enum Mode {
    PLAIN,
    SERVER_KEY,
    CLIENT_KEY
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  private static byte[] md5(byte[] bytes) {
    try {
      return MessageDigest.getInstance("MD5").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  /** The fields of a client's key. */
  private static List<String> key(String names, int number) {
    byte[] key = new byte[32];
    Arrays.fill(key, (byte) number);
    return List.of(
        names + "algorithm",
        "AES256",
        names + "key",
        base64(key),
        names + "key-MD5",
        base64(md5(key)));
  }

  private static List<String> storing(Mode mode) {
    return switch (mode) {
      case PLAIN -> List.of();
      case SERVER_KEY -> List.of(SERVER, "AES256");
      case CLIENT_KEY -> key(CLIENT, 1);
    };
  }

  private static List<String> reading(Mode mode) {
    return mode == Mode.CLIENT_KEY ? key(CLIENT, 1) : List.of();
  }

  private static byte[] bytes(int size) {
    byte[] bytes = new byte[size];
    new SplittableRandom(size).nextBytes(bytes);
    System.arraycopy(WORD, 0, bytes, 0, Math.min(size, WORD.length));
    return bytes;
  }

  private HttpResponse<byte[]> send(String method, String target, byte[] body, List<String> fields)
      throws Exception {
    return door.send(method, target, body, fields.toArray(String[]::new));
  }

  @SafeVarargs
  private static List<String> all(List<String>... fields) {
    var all = new ArrayList<String>();
    for (List<String> each : fields) {
      all.addAll(each);
    }
    return all;
  }

  private void requireSaid(HttpResponse<byte[]> answer, Mode mode) {
    assertThat(answer.statusCode()).as(DoorClient.text(answer)).isIn(200, 206);
    assertThat(answer.headers().firstValue(SERVER).orElse(""))
        .isEqualTo(mode == Mode.SERVER_KEY ? "AES256" : "");
    assertThat(answer.headers().firstValue(CLIENT + "key-MD5").isPresent())
        .isEqualTo(mode == Mode.CLIENT_KEY);
    if (mode != Mode.PLAIN) {
      assertThat(answer.headers().firstValue("Ron-Address")).as("it tells the bytes").isEmpty();
    }
  }

  private boolean isOnDisk() throws IOException {
    try (Stream<Path> files = Files.walk(folder.resolve("data"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (new String(Files.readAllBytes(file), UTF_8).contains(new String(WORD, UTF_8))) {
          return true;
        }
      }
    }
    return false;
  }

  @ParameterizedTest
  @EnumSource(names = {"SERVER_KEY", "CLIENT_KEY"})
  void whatIsStoredIsReadWholeAndInRangesAndIsNotOnTheDisk(Mode mode) throws Exception {
    int[] sizes = {1, 4096, 4097, 65_536 + 5000, (4 << 20) + 70_000};
    for (int size : sizes) {
      requireStored(mode, size);
    }
    assertThat(isOnDisk()).isFalse();
    rig.close();
    assertThat(isOnDisk()).as("after rows were written").isFalse();
    rig = rig();
    door = new DoorClient(http, rig.port());
    for (int size : sizes) {
      assertThat(send("GET", "/bucket/" + size, new byte[0], reading(mode)).body())
          .isEqualTo(bytes(size));
    }
  }

  private void requireStored(Mode mode, int size) throws Exception {
    byte[] body = bytes(size);
    String path = "/bucket/" + size;
    requireSaid(send("PUT", path, body, storing(mode)), mode);
    HttpResponse<byte[]> read = send("GET", path, new byte[0], reading(mode));
    requireSaid(read, mode);
    assertThat(read.body()).isEqualTo(body);
    requireSaid(send("HEAD", path, new byte[0], reading(mode)), mode);
    var random = new SplittableRandom(3);
    for (int i = 0; i < 20; i++) {
      int from = random.nextInt(size);
      int to = from + random.nextInt(Math.min(size - from, 200_000));
      List<String> range = List.of("range", "bytes=" + from + "-" + to);
      HttpResponse<byte[]> part = send("GET", path, new byte[0], all(range, reading(mode)));
      requireSaid(part, mode);
      assertThat(part.body()).isEqualTo(Arrays.copyOfRange(body, from, to + 1));
    }
    String tag = read.headers().firstValue("etag").orElseThrow().replace("\"", "");
    assertThat(tag.equals(HexFormat.of().formatHex(md5(body))))
        .as("the MD5 is told of what the server's own key encrypts alone")
        .isEqualTo(mode == Mode.SERVER_KEY);
  }

  @Test
  void aCopyIsEncryptedAsItAsks() throws Exception {
    for (Mode from : Mode.values()) {
      for (Mode to : Mode.values()) {
        requireCopied(from, to);
      }
    }
  }

  private void requireCopied(Mode from, Mode to) throws Exception {
    List<String> source = from == Mode.CLIENT_KEY ? key(SOURCE, 1) : List.of();
    for (int size : new int[] {10, 100_000}) {
      byte[] body = bytes(size);
      requireSaid(send("PUT", "/bucket/from", body, storing(from)), from);
      List<String> copy = List.of("x-amz-copy-source", "/bucket/from");
      List<String> target = to == Mode.CLIENT_KEY ? key(CLIENT, 2) : storing(to);
      requireSaid(send("PUT", "/bucket/to", new byte[0], all(copy, source, target)), to);
      assertThat(door.delete("/bucket/from")).isEqualTo(204);
      List<String> reading = to == Mode.CLIENT_KEY ? key(CLIENT, 2) : List.of();
      HttpResponse<byte[]> read = send("GET", "/bucket/to", new byte[0], reading);
      requireSaid(read, to);
      assertThat(read.body()).isEqualTo(body);
      if (to != Mode.CLIENT_KEY && from != Mode.CLIENT_KEY) {
        assertThat(read.headers().firstValue("etag").orElseThrow())
            .isEqualTo('"' + HexFormat.of().formatHex(md5(body)) + '"');
      }
    }
  }

  @Test
  void anUploadHasOneKeyAndPartsAreCopiedIntoIt() throws Exception {
    requireUploaded(Mode.PLAIN, Mode.SERVER_KEY);
    requireUploaded(Mode.SERVER_KEY, Mode.CLIENT_KEY);
    requireUploaded(Mode.CLIENT_KEY, Mode.PLAIN);
  }

  private void requireUploaded(Mode from, Mode to) throws Exception {
    byte[] first = bytes(5 << 20);
    byte[] second = bytes(3000);
    requireSaid(send("PUT", "/bucket/from", first, storing(from)), from);
    String id = begun(to);
    List<String> source = from == Mode.CLIENT_KEY ? key(SOURCE, 1) : List.of();
    List<String> copy = List.of("x-amz-copy-source", "/bucket/from");
    HttpResponse<byte[]> copied =
        send(
            "PUT",
            "/bucket/to?partNumber=1&uploadId=" + id,
            new byte[0],
            all(copy, source, reading(to)));
    requireSaid(copied, to);
    HttpResponse<byte[]> sent =
        send("PUT", "/bucket/to?partNumber=2&uploadId=" + id, second, reading(to));
    requireSaid(sent, to);
    String list =
        "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>%s</ETag></Part>"
                .formatted(DoorClient.all(DoorClient.text(copied), "<ETag>(.*)</ETag>").getFirst())
            + "<Part><PartNumber>2</PartNumber><ETag>%s</ETag></Part></CompleteMultipartUpload>"
                .formatted(sent.headers().firstValue("etag").orElseThrow());
    requireSaid(send("POST", "/bucket/to?uploadId=" + id, list.getBytes(UTF_8), reading(to)), to);
    byte[] whole = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, whole, first.length, second.length);
    assertThat(send("GET", "/bucket/to", new byte[0], reading(to)).body()).isEqualTo(whole);
    List<String> across = all(List.of("range", "bytes=5242870-5242889"), reading(to));
    assertThat(send("GET", "/bucket/to", new byte[0], across).body())
        .isEqualTo(Arrays.copyOfRange(whole, 5_242_870, 5_242_890));
    // An object of parts becomes one in one piece, with the key of its parts.
    List<String> again = to == Mode.CLIENT_KEY ? key(SOURCE, 1) : List.of();
    requireSaid(
        send(
            "PUT",
            "/bucket/again",
            new byte[0],
            all(List.of("x-amz-copy-source", "/bucket/to"), again, storing(to))),
        to);
    assertThat(door.delete("/bucket/to")).isEqualTo(204);
    assertThat(send("GET", "/bucket/again", new byte[0], reading(to)).body()).isEqualTo(whole);
  }

  private String begun(Mode mode) throws Exception {
    HttpResponse<byte[]> begun = send("POST", "/bucket/to?uploads", new byte[0], storing(mode));
    requireSaid(begun, mode);
    return DoorClient.all(DoorClient.text(begun), "<UploadId>([^<]*)</UploadId>").getFirst();
  }

  private String told(HttpResponse<byte[]> answer) {
    String code = DoorClient.all(DoorClient.text(answer), "<Code>([^<]*)</Code>").toString();
    return answer.statusCode() + " " + code;
  }

  @Test
  void withoutItsKeyAnObjectIsNotReadCopiedOrToldOf() throws Exception {
    send("PUT", "/bucket/key", bytes(9000), storing(Mode.CLIENT_KEY));
    byte[] none = new byte[0];
    for (List<String> wrong : List.of(List.<String>of(), key(CLIENT, 2))) {
      assertThat(told(send("GET", "/bucket/key", none, wrong))).isEqualTo("400 [InvalidRequest]");
      assertThat(send("HEAD", "/bucket/key", none, wrong).statusCode()).isEqualTo(400);
      List<String> asked = List.of("x-amz-object-attributes", "ETag");
      assertThat(told(send("GET", "/bucket/key?attributes", none, all(asked, wrong))))
          .isEqualTo("400 [InvalidRequest]");
    }
    List<String> copy = List.of("x-amz-copy-source", "/bucket/key");
    for (List<String> wrong : List.of(List.<String>of(), key(SOURCE, 2), key(CLIENT, 1))) {
      assertThat(told(send("PUT", "/bucket/copy", none, all(copy, wrong))))
          .isEqualTo("400 [InvalidRequest]");
    }
    assertThat(door.get("/bucket/copy").statusCode()).isEqualTo(404);
    send("PUT", "/bucket/plain", bytes(10), List.of());
    assertThat(told(send("GET", "/bucket/plain", none, key(CLIENT, 1))))
        .isEqualTo("400 [InvalidRequest]");
    assertThat(told(send("GET", "/bucket/plain", none, List.of(SERVER, "AES256"))))
        .isEqualTo("400 [InvalidArgument]");
  }

  @Test
  void aPartNeedsTheKeyOfItsUpload() throws Exception {
    byte[] none = new byte[0];
    String part = "/bucket/to?partNumber=1&uploadId=" + begun(Mode.CLIENT_KEY);
    for (List<String> wrong :
        List.of(List.<String>of(), key(CLIENT, 2), List.of(SERVER, "AES256"))) {
      assertThat(send("PUT", part, bytes(10), wrong).statusCode()).isEqualTo(400);
    }
    String plain = "/bucket/to?partNumber=1&uploadId=" + begun(Mode.PLAIN);
    assertThat(send("PUT", plain, bytes(10), key(CLIENT, 1)).statusCode()).isEqualTo(400);
    assertThat(send("PUT", plain, bytes(10), List.of(SERVER, "AES256")).statusCode())
        .as("never plain what was asked for otherwise")
        .isEqualTo(400);
    assertThat(door.get("/bucket/to").statusCode()).isEqualTo(404);
    assertThat(send("GET", plain.replace("partNumber=1&", ""), none, List.of()).statusCode())
        .isEqualTo(200);
  }

  /** Fields that no object is stored with. */
  private record Refused(String what, List<String> fields, int status) {}

  private static List<Refused> refusals() {
    List<String> right = key(CLIENT, 1);
    List<String> noKey = List.of(right.get(0), right.get(1), right.get(4), right.get(5));
    return List.of(
        new Refused("no algorithm", right.subList(2, 6), 400),
        new Refused("no MD5", right.subList(0, 4), 400),
        new Refused("no key", noKey, 400),
        new Refused("the algorithm alone", right.subList(0, 2), 400),
        new Refused(
            "another MD5",
            all(right.subList(0, 4), List.of(CLIENT + "key-MD5", "A".repeat(22) + "==")),
            400),
        new Refused(
            "a short key",
            List.of(
                CLIENT + "algorithm", "AES256", CLIENT + "key", "AAAA", CLIENT + "key-MD5", "AAAA"),
            400),
        new Refused(
            "no base64",
            List.of(CLIENT + "algorithm", "AES256", CLIENT + "key", "!", CLIENT + "key-MD5", "!"),
            400),
        new Refused(
            "AES128", all(List.of(CLIENT + "algorithm", "AES128"), right.subList(2, 6)), 400),
        new Refused("both keys", all(right, List.of(SERVER, "AES256")), 400),
        new Refused("an unknown word", List.of(SERVER, "aes:kms"), 400),
        new Refused(
            "a key of a service with the server's",
            List.of(SERVER, "AES256", SERVER + "-aws-kms-key-id", "x"),
            400),
        new Refused("a key of a service alone", List.of(SERVER + "-aws-kms-key-id", "x"), 400),
        new Refused("a key service", List.of(SERVER, "aws:kms"), 501),
        new Refused("a key service, twice", List.of(SERVER, "aws:kms:dsse"), 501));
  }

  @Test
  void whatIsNotUnderstoodIsNotStored() throws Exception {
    for (Refused each : refusals()) {
      assertThat(send("PUT", "/bucket/key", bytes(10), each.fields()).statusCode())
          .as(each.what())
          .isEqualTo(each.status());
      assertThat(send("POST", "/bucket/key?uploads", new byte[0], each.fields()).statusCode())
          .as(each.what())
          .isEqualTo(each.status());
    }
    assertThat(door.get("/bucket/key").statusCode()).isEqualTo(404);
  }

  @Test
  void aBucketsRuleEncryptsWhatDoesNotAsk() throws Exception {
    String rule =
        "<ServerSideEncryptionConfiguration><Rule><ApplyServerSideEncryptionByDefault>"
            + "<SSEAlgorithm>%s</SSEAlgorithm></ApplyServerSideEncryptionByDefault></Rule>"
            + "</ServerSideEncryptionConfiguration>";
    assertThat(put("/bucket?encryption", rule.formatted("aws:kms"))).isEqualTo(501);
    assertThat(put("/bucket?encryption", rule.formatted("rot13"))).isEqualTo(400);
    assertThat(door.get("/bucket?encryption").statusCode()).isEqualTo(404);
    assertThat(put("/bucket?encryption", rule.formatted("AES256"))).isEqualTo(200);
    assertThat(DoorClient.text(door.get("/bucket?encryption"))).contains("AES256");
    requireSaid(send("PUT", "/bucket/key", bytes(5000), List.of()), Mode.SERVER_KEY);
    requireSaid(send("POST", "/bucket/key?uploads", new byte[0], List.of()), Mode.SERVER_KEY);
    requireSaid(
        send("PUT", "/bucket/copy", new byte[0], List.of("x-amz-copy-source", "/bucket/key")),
        Mode.SERVER_KEY);
    requireSaid(send("PUT", "/bucket/own", bytes(50), key(CLIENT, 1)), Mode.CLIENT_KEY);
    assertThat(door.get("/bucket/copy").body()).isEqualTo(bytes(5000));
    assertThat(door.delete("/bucket?encryption")).isEqualTo(204);
    requireSaid(send("PUT", "/bucket/later", bytes(50), List.of()), Mode.PLAIN);
  }

  private int put(String target, String document) throws Exception {
    byte[] bytes = document.getBytes(UTF_8);
    return door.put(target, bytes, "content-md5", base64(md5(bytes)));
  }
}
