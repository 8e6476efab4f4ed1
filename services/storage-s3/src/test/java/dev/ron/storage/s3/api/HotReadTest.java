package dev.ron.storage.s3.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.capability.caveat.Caveat;
import dev.ron.sigv4.SignedRequest;
import dev.ron.storage.s3.api.SignedDoor.Caller;
import dev.ron.storage.s3.api.SignedDoor.Told;
import dev.ron.testkit.RawClient;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads that are answered from memory: what decides about them counts from its answer on. */
@Timeout(120)
final class HotReadTest {
  private static final String PATH = "/b12/hot";
  private static final String FIRST = "1".repeat(65_536);
  private static final String DENIED = "403 AccessDenied";

  private SignedDoor door;
  private Caller main;
  private Caller other;

  @BeforeEach
  void open(@TempDir Path folder) throws Exception {
    door =
        new SignedDoor(
            "storage.amnesia", "false",
            "storage.s3.object_bytes", "16MiB",
            "storage.data_dirs", folder.toString(),
            "storage.free_min", "0B");
    main = door.tenant("main");
    other = door.tenant("other");
    assertThat(main.put("/b12", "")).isEqualTo("200");
    assertThat(main.put(PATH, FIRST)).isEqualTo("200");
    warm(main, FIRST);
  }

  @AfterEach
  void close() {
    door.close();
  }

  /** Often enough that rows and bytes are in memory. */
  private static void warm(Caller caller, String body) throws Exception {
    for (int i = 0; i < 6; i++) {
      assertThat(caller.send("GET", PATH, "").text()).isEqualTo(body);
    }
  }

  private void policy(String effect) throws Exception {
    String policy =
        """
        {"Version":"2012-10-17","Statement":[{"Effect":"%s","Principal":{"AWS":"other"},
         "Action":"s3:GetObject","Resource":"arn:aws:s3:::b12/*"}]}\
        """
            .formatted(effect);
    assertThat(main.put("/b12?policy", policy)).isEqualTo("204");
  }

  @Test
  void aPolicyCountsAtOnce() throws Exception {
    assertThat(other.get(PATH)).isEqualTo(DENIED);
    policy("Allow");
    warm(other, FIRST);
    policy("Deny");
    assertThat(other.get(PATH)).isEqualTo(DENIED);
    policy("Allow");
    warm(other, FIRST);
    assertThat(main.delete("/b12?policy")).isEqualTo("204");
    assertThat(other.get(PATH)).isEqualTo(DENIED);
    warm(main, FIRST);
  }

  @Test
  void aPairThatIsWithdrawnIsRefusedAtOnce() throws Exception {
    Caller leaver = door.tenant("main");
    warm(leaver, FIRST);
    door.revoke(leaver);
    assertThat(leaver.get(PATH)).isEqualTo("400 InvalidToken");
    warm(main, FIRST);
  }

  @Test
  void anObjectIsTheLastThatWasStored() throws Exception {
    String second = "2".repeat(65_536);
    assertThat(main.put(PATH, second)).isEqualTo("200");
    warm(main, second);
    assertThat(main.get(PATH, "If-Match", "\"none\"")).isEqualTo("412 PreconditionFailed");
    assertThat(main.send("GET", PATH, "", "Range", "bytes=1-3").text()).isEqualTo("222");
    assertThat(main.delete(PATH)).isEqualTo("204");
    assertThat(main.get(PATH)).isEqualTo("404 NoSuchKey");
    assertThat(main.put(PATH, FIRST)).isEqualTo("200");
    warm(main, FIRST);
  }

  @Test
  void aSettingCountsAtOnce() throws Exception {
    assertThat(main.send("GET", PATH, "").header("x-amz-expiration")).isEqualTo("none");
    String rule =
        "<LifecycleConfiguration><Rule><ID>a</ID><Status>Enabled</Status><Prefix></Prefix>"
            + "<Expiration><Days>9</Days></Expiration></Rule></LifecycleConfiguration>";
    assertThat(main.put("/b12?lifecycle", rule)).isEqualTo("200");
    assertThat(main.send("GET", PATH, "").header("x-amz-expiration")).contains("rule-id=\"a\"");
    assertThat(main.delete("/b12?lifecycle")).isEqualTo("204");
    assertThat(main.send("GET", PATH, "").header("x-amz-expiration")).isEqualTo("none");
  }

  @Test
  void aSignatureThatDoesNotFitIsRefusedAlsoWhereAllIsInMemory() throws Exception {
    var signed = main.signed(main.unsigned("GET", PATH));
    var other = new SignedRequest("GET", "/b12/hot2", "", signed.headers());
    assertThat(door.raw(other, "")).isEqualTo("403 SignatureDoesNotMatch");
    assertThat(door.anonymous().get(PATH)).isEqualTo(DENIED);
  }

  /** A try to get at an object; answers what of it came back. */
  private interface Try {
    String of() throws Exception;
  }

  private static int trials(AtomicBoolean end, Try one) throws Exception {
    int open = 0;
    while (!end.get()) {
      String told = one.of().substring(0, 2);
      assertThat(told).isNotEqualTo("cc");
      open += told.equals("oo") ? 1 : 0;
    }
    return open;
  }

  private String copied() throws Exception {
    Told copy = other.send("PUT", "/o12/copy", "", "x-amz-copy-source", PATH);
    return copy.status() == 200 ? other.send("GET", "/o12/copy", "").text() : copy.text();
  }

  /** While an object is open and closed in turn, what it is when it is closed is told to none. */
  @ParameterizedTest
  @ValueSource(ints = {64, 65_536})
  void theListOfOneVersionOpensNoOther(int bytes) throws Exception {
    assertThat(other.put("/o12", "")).isEqualTo("200");
    var end = new AtomicBoolean();
    List<Try> tries =
        List.of(
            () -> door.anonymous().send("GET", PATH, "").text(),
            () -> other.send("GET", PATH, "").text(),
            this::copied);
    try (ExecutorService threads = Executors.newFixedThreadPool(tries.size())) {
      List<Future<Integer>> found =
          tries.stream().map(each -> threads.submit(() -> trials(end, each))).toList();
      try {
        for (int i = 0; i < 200; i++) {
          assertThat(main.put(PATH, "o".repeat(bytes), "x-amz-acl", "public-read"))
              .isEqualTo("200");
          assertThat(main.put(PATH, "c".repeat(bytes))).isEqualTo("200");
        }
      } finally {
        end.set(true);
      }
      for (Future<Integer> each : found) {
        assertThat(each.get(60, TimeUnit.SECONDS)).isPositive();
      }
    }
  }

  @Test
  void http2IsAnsweredByTheSameRules() throws Exception {
    Caller leaver = door.tenant("main");
    assertThat(door.http2(leaver, PATH)).isEqualTo("200");
    assertThat(door.http2(leaver, PATH)).isEqualTo("200");
    assertThat(door.http2(other, PATH)).isEqualTo("403");
    door.revoke(leaver);
    assertThat(door.http2(leaver, PATH)).isEqualTo("400");
    assertThat(main.delete(PATH)).isEqualTo("204");
    assertThat(door.http2(main, PATH)).isEqualTo("404");
  }

  private static final String VERSIONED =
      "<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>";

  @Test
  void aDeleteMarkerAndWhatIsUnderItCountAtOnce() throws Exception {
    assertThat(main.put("/b12?versioning", VERSIONED)).isEqualTo("200");
    assertThat(main.send("GET", PATH, "").header("x-amz-version-id")).isEqualTo("null");
    String second = "2".repeat(65_536);
    String id = main.send("PUT", PATH, second).header("x-amz-version-id");
    warm(main, second);
    String marker = main.send("DELETE", PATH, "").header("x-amz-version-id");
    Told hidden = main.send("GET", PATH, "");
    assertThat(hidden.brief()).isEqualTo("404 NoSuchKey");
    assertThat(hidden.header("x-amz-delete-marker")).isEqualTo("true");
    assertThat(main.send("GET", PATH + "?versionId=" + id, "").text()).isEqualTo(second);
    assertThat(main.send("GET", PATH + "?versionId=null", "").text()).isEqualTo(FIRST);
    assertThat(main.delete(PATH + "?versionId=" + marker)).isEqualTo("204");
    warm(main, second);
    assertThat(main.delete(PATH + "?versionId=" + id)).isEqualTo("204");
    warm(main, FIRST);
    assertThat(main.delete(PATH + "?versionId=null")).isEqualTo("204");
    assertThat(main.get(PATH)).isEqualTo("404 NoSuchKey");
  }

  @Test
  void aBucketOfTheSameNameIsAnother() throws Exception {
    policy("Allow");
    warm(other, FIRST);
    assertThat(main.delete(PATH)).isEqualTo("204");
    assertThat(main.delete("/b12")).isEqualTo("204");
    assertThat(main.get(PATH)).isEqualTo("404 NoSuchBucket");
    assertThat(other.put("/b12", "")).isEqualTo("200");
    String theirs = "t".repeat(65_536);
    assertThat(other.put(PATH, theirs)).isEqualTo("200");
    warm(other, theirs);
    assertThat(main.get(PATH)).isEqualTo(DENIED);
  }

  @Test
  void listsAndBlocksOfPublicAccessCountAtOnce() throws Exception {
    assertThat(main.put(PATH, FIRST, "x-amz-acl", "public-read")).isEqualTo("200");
    warm(door.anonymous(), FIRST);
    String block =
        "<PublicAccessBlockConfiguration><IgnorePublicAcls>true</IgnorePublicAcls>"
            + "</PublicAccessBlockConfiguration>";
    assertThat(main.put("/b12?publicAccessBlock", block)).isEqualTo("200");
    assertThat(door.anonymous().get(PATH)).isEqualTo(DENIED);
    assertThat(main.delete("/b12?publicAccessBlock")).isEqualTo("204");
    warm(door.anonymous(), FIRST);
    assertThat(main.put(PATH + "?acl", "", "x-amz-acl", "private")).isEqualTo("200");
    assertThat(door.anonymous().get(PATH)).isEqualTo(DENIED);
    warm(main, FIRST);
  }

  @Test
  void aPairIsHeldToItsCaveatsWhereAllIsInMemory() throws Exception {
    assertThat(door.tenant("main", new Caveat.Bucket(Set.of("c12"))).get(PATH)).isEqualTo(DENIED);
    assertThat(door.tenant("main", new Caveat.Operation(Set.of("list"))).get(PATH))
        .isEqualTo(DENIED);
    Instant end = Instant.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(4);
    Caller guest = door.tenant("main", new Caveat.Expiry(end));
    String before = guest.get(PATH);
    String last = before;
    while (!Instant.now().isAfter(end.plusMillis(5))) {
      last = guest.get(PATH);
    }
    assertThat(before).isEqualTo("200");
    assertThat(last).isIn("200", "400 ExpiredToken");
    assertThat(guest.get(PATH)).as("on a connection that stays open").isEqualTo("400 ExpiredToken");
    door.rotate();
    assertThat(main.get(PATH)).isEqualTo("403 InvalidAccessKeyId");
  }

  /** Three blocks of 4 MiB, the last one not full; ranges begin and end in any of them. */
  @ParameterizedTest
  @CsvSource({
    "0,9000000,3",
    "0,4194303,1",
    "4194303,4194304,2",
    "4194304,8388607,1",
    "1,8388608,3",
    "8999999,9000000,1"
  })
  void anObjectOfSeveralBlocksComesFromMemoryBlockBehindBlock(int first, int last, int blocks)
      throws Exception {
    String whole = letters(9_000_000);
    String path = "/b12/large";
    assertThat(main.put(path, whole)).isEqualTo("200");
    for (int i = 0; i < 3; i++) {
      assertThat(main.send("GET", path, "").text().equals(whole)).isTrue();
    }
    String range = "bytes=" + first + "-" + last;
    double before = door.sum("verified_memory_hits_total");
    Told part = main.send("GET", path, "", "Range", range);
    assertThat(part.status()).isEqualTo(206);
    String wanted = whole.substring(first, Math.min(last + 1, whole.length()));
    assertThat(part.text().equals(wanted)).as("the bytes of %s", range).isTrue();
    assertThat(door.sum("verified_memory_hits_total") - before).isEqualTo(blocks);
    assertThat(main.delete(path)).isEqualTo("204");
    assertThat(main.get(path)).isEqualTo("404 NoSuchKey");
  }

  private static String letters(int count) {
    var random = new SplittableRandom(count);
    var text = new StringBuilder(count);
    for (int i = 0; i < count; i++) {
      text.append((char) ('a' + random.nextInt(26)));
    }
    return text.toString();
  }

  /** Answers come in the order of the requests, each with what the one before has left. */
  @Test
  void requestsInARowSeeEachOther() throws Exception {
    SignedRequest get = main.signed(main.unsigned("GET", PATH));
    SignedRequest put = main.signed(main.unsigned("PUT", PATH));
    SignedRequest delete = main.signed(main.unsigned("DELETE", PATH));
    String none = SignedDoor.text(get, 0);
    try (var client = new RawClient(door.port())) {
      client.send(none + none + SignedDoor.text(put, 2) + "ab" + none);
      client.send(SignedDoor.text(delete, 0) + none);
      assertThat(client.answer()).startsWith("HTTP/1.1 200").endsWith(FIRST);
      assertThat(client.answer()).startsWith("HTTP/1.1 200").endsWith(FIRST);
      assertThat(client.answer()).startsWith("HTTP/1.1 200");
      assertThat(client.answer()).startsWith("HTTP/1.1 200").endsWith("\r\n\r\nab");
      assertThat(client.answer()).startsWith("HTTP/1.1 204");
      assertThat(client.answer()).startsWith("HTTP/1.1 404");
    }
  }

  /** What stands in the body of a read is no request. */
  @Test
  void theBodyOfAReadIsSkipped() throws Exception {
    SignedRequest get = main.signed(main.unsigned("GET", PATH));
    SignedRequest delete = main.signed(main.unsigned("DELETE", PATH));
    String inside = SignedDoor.text(delete, 0);
    try (var client = new RawClient(door.port())) {
      client.send(SignedDoor.text(get, inside.length()) + inside + SignedDoor.text(get, 0));
      assertThat(client.answer()).startsWith("HTTP/1.1 200").endsWith(FIRST);
      assertThat(client.answer()).startsWith("HTTP/1.1 200").endsWith(FIRST);
    }
    warm(main, FIRST);
  }

  @ParameterizedTest
  @CsvSource({
    "If-None-Match, '*', 304",
    "If-None-Match, '\"other\"', 200",
    "If-Match, '*', 200",
    "If-Modified-Since, 'Tue, 01 Jan 2036 00:00:00 GMT', 304",
    "If-Unmodified-Since, 'Tue, 01 Jan 2002 00:00:00 GMT', 412 PreconditionFailed",
    "Range, bytes=65535-, 206",
    "Range, bytes=-1, 206",
    "Range, bytes=65536-, 416 InvalidRange",
    "Range, 'bytes=0-1,3-4', 200",
    "x-amz-expected-bucket-owner, other, 403 AccessDenied",
    "x-amz-content-sha256, STREAMING-UNKNOWN, 400 InvalidRequest",
  })
  void conditionsAndRangesAreAsElsewhere(String name, String value, String outcome)
      throws Exception {
    assertThat(main.get(PATH, name, value)).isEqualTo(outcome);
    assertThat(main.put("/b12/cold", FIRST)).isEqualTo("200");
    assertThat(main.get("/b12/cold", name, value)).as("not in memory").isEqualTo(outcome);
  }
}
