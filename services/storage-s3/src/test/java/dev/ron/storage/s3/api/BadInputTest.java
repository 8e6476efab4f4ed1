package dev.ron.storage.s3.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.sigv4.PayloadMode;
import dev.ron.sigv4.SignedRequest;
import dev.ron.storage.s3.api.SignedDoor.Caller;
import dev.ron.storage.s3.api.SignedDoor.Told;
import dev.ron.storage.s3.setting.LockRule;
import dev.ron.testkit.RawClient;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is wrong is refused with the code that clients know, and nothing of it is stored. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class BadInputTest {
  private static final String BODY = "hello";

  private SignedDoor door;
  private Caller main;

  @BeforeAll
  void open() throws Exception {
    door = new SignedDoor();
    main = door.tenant("main");
    assertThat(main.put("/b12", "")).isEqualTo("200");
    assertThat(main.put("/b12/k", BODY)).isEqualTo("200");
  }

  @AfterAll
  void close() {
    door.close();
  }

  private void nothingNew() throws Exception {
    assertThat(main.send("GET", "/b12?list-type=2", "").text())
        .contains("<KeyCount>1</KeyCount>", "<Key>k</Key>");
    assertThat(main.send("GET", "/b12?uploads", "").text()).doesNotContain("<Upload>");
    assertThat(main.send("GET", "/b12/k", "").text()).isEqualTo(BODY);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Content-MD5                         | AAAAAAAAAAAAAAAAAAAAAA== | 400 BadDigest",
        "Content-MD5                         | AAAA                     | 400 InvalidDigest",
        "Content-MD5                         | no base64                | 400 InvalidDigest",
        "x-amz-checksum-crc32                | AAAAAA==                 | 400 BadDigest",
        "x-amz-checksum-crc32c               | AAAAAA==                 | 400 BadDigest",
        "x-amz-checksum-crc64nvme            | AAAAAAAAAAA=             | 400 BadDigest",
        "x-amz-checksum-sha1                 | AAAAAAAAAAAAAAAAAAAAAAAAAAA= | 400 BadDigest",
        "x-amz-checksum-sha256               | aaaa                     | 400 BadDigest",
        "x-amz-checksum-xxhash3              | AAAAAAAAAAA=             | 400 InvalidRequest",
        "x-amz-sdk-checksum-algorithm        | XXHASH3                  | 400 InvalidRequest",
        "x-amz-acl                           | everyone                 | 400 InvalidArgument",
        "x-amz-grant-read                    | id                       | 400 InvalidArgument",
        "x-amz-tagging                       | a=1&a=2                  | 400 InvalidTag",
        "x-amz-object-lock-mode              | GOVERNANCE               | 400 InvalidArgument",
        "x-amz-object-lock-retain-until-date | 2100-01-01T00:00:00Z     | 400 InvalidArgument",
        "x-amz-object-lock-legal-hold        | MAYBE                    | 400 InvalidArgument",
        "x-amz-object-lock-legal-hold        | ON                       | 400 InvalidRequest",
        "x-amz-server-side-encryption        | aws:kms                  | 501 NotImplemented",
        "x-amz-server-side-encryption        | ROT13                    | 400 InvalidArgument",
        "x-amz-write-offset-bytes            | 5                        | 501 NotImplemented",
        "x-amz-expected-bucket-owner         | other                    | 403 AccessDenied",
        "x-amz-copy-source                   | /b12/none                | 404 NoSuchKey",
        "x-amz-copy-source                   | /none-such/k             | 404 NoSuchBucket",
        "x-amz-copy-source                   | b12                      | 400 InvalidArgument",
        "If-Match                            | \"0\"                    | 404 NoSuchKey",
      })
  void aPutWithAWrongFieldStoresNothing(String name, String value, String told) throws Exception {
    assertThat(main.put("/b12/new", BODY, name, value)).isEqualTo(told);
    nothingNew();
  }

  @Test
  void twoChecksumsOrTooMuchMetadataAreRefused() throws Exception {
    assertThat(
            main.put(
                "/b12/new",
                BODY,
                "x-amz-checksum-crc32",
                "NhCmhg==",
                "x-amz-checksum-sha1",
                "qvTGHdzF6KLavt4PO0gs2a6pQ00="))
        .isEqualTo("400 InvalidRequest");
    assertThat(main.put("/b12/new", BODY, "x-amz-meta-a", "x".repeat(2048)))
        .isEqualTo("400 MetadataTooLarge");
    nothingNew();
  }

  /** The hash in the signature, and a date that is none. */
  @Test
  void aBodyOfAnotherHashIsRefused() throws Exception {
    for (String[] row :
        new String[][] {
          {"0".repeat(64), "400 XAmzContentSHA256Mismatch"},
          {"2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824", "200"},
        }) {
      SignedRequest signed =
          main.signer()
              .sign(
                  main.unsigned("PUT", "/b12/hashed"),
                  PayloadMode.parse(row[0]).orElseThrow(),
                  Instant.now())
              .request();
      assertThat(door.raw(signed, BODY)).isEqualTo(row[1]);
    }
    assertThat(main.delete("/b12/hashed")).isEqualTo("204");
    assertThat(
            door.raw(
                main.unsigned(
                    "PUT",
                    "/b12/new",
                    "x-amz-date",
                    "yesterday",
                    "x-amz-content-sha256",
                    "UNSIGNED-PAYLOAD"),
                BODY,
                "Authorization",
                "AWS4-HMAC-SHA256 Credential=a/20260101/us-east-1/s3/aws4_request,"
                    + " SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature="
                    + "0".repeat(64)))
        .startsWith("403 ");
    nothingNew();
  }

  /** A sender that goes away, and one that says no length at all. */
  @Test
  void aBodyThatDoesNotComeWholeIsNoObject() throws Exception {
    SignedRequest cut = main.signed(main.unsigned("PUT", "/b12/new"));
    try (var client = new RawClient(door.port())) {
      client.send(SignedDoor.text(cut, 100)).send(BODY).finishSending();
      client.rest();
    }
    SignedRequest silent = main.signed(main.unsigned("PUT", "/b12/new"));
    try (var client = new RawClient(door.port())) {
      client.send(SignedDoor.text(silent, 0).replace("Content-Length: 0\r\n", ""));
      assertThat(SignedDoor.brief(client.answer())).isEqualTo("411 MissingContentLength");
    }
    nothingNew();
  }

  /** Documents of every operation that takes one, and settings stay as they were. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "acl",
        "cors",
        "encryption",
        "lifecycle",
        "object-lock",
        "ownershipControls",
        "policy",
        "publicAccessBlock",
        "tagging",
        "versioning",
      })
  void aDocumentThatIsNoneChangesNothing(String part) throws Exception {
    String before = main.send("GET", "/b12?" + part, "").text().replaceAll("<RequestId>.*", "");
    for (String document :
        List.of(
            "",
            "x",
            "<",
            "<a>",
            "<a></b>",
            "<Other/>",
            "{",
            "[]",
            "<!DOCTYPE a [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><a>&e;</a>",
            "<?xml version=\"1.0\" encoding=\"nonsense\"?><a/>")) {
      assertThat(main.put("/b12?" + part, document)).as(document).startsWith("400 M");
    }
    assertThat(main.send("GET", "/b12?" + part, "").text().replaceAll("<RequestId>.*", ""))
        .isEqualTo(before);
    assertThat(main.put("/b12?" + part, " ", "Content-MD5", "AAAAAAAAAAAAAAAAAAAAAA=="))
        .isEqualTo("400 BadDigest");
  }

  @Test
  void aListOfKeysToDeleteIsReadWhole() throws Exception {
    String key = "<Object><Key>k</Key></Object>";
    for (String document :
        List.of(
            "",
            "<Delete></Delete>",
            "<Delete>" + key,
            "<Delete>" + key + "<Object/></Delete>",
            "<Delete>" + key.repeat(1001) + "</Delete>")) {
      assertThat(main.send("POST", "/b12?delete", document).brief()).isEqualTo("400 MalformedXML");
    }
    nothingNew();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET  | /b12?max-keys=-1                          | 400 InvalidArgument",
        "GET  | /b12?max-keys=many                        | 400 InvalidArgument",
        "GET  | /b12?encoding-type=rot13                  | 400 InvalidArgument",
        "GET  | /b12?list-type=2&continuation-token=%00   | 400 InvalidArgument",
        "GET  | /b12?versions&version-id-marker=x         | 400 InvalidArgument",
        "GET  | /b12?uploads&max-uploads=x                | 400 InvalidArgument",
        "GET  | /b12/k?versionId=x                        | 400 InvalidArgument",
        "GET  | /b12/k?partNumber=0                       | 400 InvalidArgument",
        "GET  | /b12/k?partNumber=10001                   | 400 InvalidArgument",
        "GET  | /b12/k?partNumber=2                       | 400 InvalidPart",
        "GET  | /b12/k?uploadId=x                         | 404 NoSuchUpload",
        "PUT  | /b12/k?uploadId=x&partNumber=1            | 404 NoSuchUpload",
        "PUT  | /b12/k?uploadId=x&partNumber=x            | 400 InvalidArgument",
        "PUT  | /b12/k?uploadId=x                         | 400 InvalidArgument",
        "POST | /b12/k?uploadId=x                         | 400 MalformedXML",
        "GET  | /none-such                                | 404 NoSuchBucket",
        "GET  | /b12/none                                 | 404 NoSuchKey",
        "GET  | /Not_A_Name/k                             | 404 NoSuchBucket",
        "PUT  | /Not_A_Name                               | 400 InvalidBucketName",
        "POST | /b12/k                                    | 405 MethodNotAllowed",
        "PUT  | /                                         | 405 MethodNotAllowed",
      })
  void aWrongParameterIsToldByItsCode(String method, String target, String told) throws Exception {
    assertThat(main.send(method, target, "").brief()).isEqualTo(told);
    nothingNew();
  }

  /**
   * What is not done here, also what comes after this was written: above all it is not taken for a
   * change of the whole object or bucket.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "PUT /b12?accelerate",
        "PUT /b12?analytics&id=a",
        "PUT /b12?inventory&id=a",
        "PUT /b12?logging",
        "PUT /b12?metrics&id=a",
        "PUT /b12?notification",
        "PUT /b12?replication",
        "PUT /b12?requestPayment",
        "PUT /b12?website",
        "PUT /b12?abac",
        "PUT /b12?metadataInventoryTable",
        "POST /b12?metadataConfiguration",
        "GET /b12?metadataTable",
        "GET /b12?session",
        "DELETE /b12?metadataConfiguration",
        "DELETE /b12?somethingNew",
        "DELETE /b12?somethingNew=",
        "PUT /b12/k?renameObject",
        "PUT /b12/k?append&position=5",
        "PUT /b12/k?encryption",
        "PUT /b12/k?somethingNew",
        "POST /b12/k?restore",
        "POST /b12/k?select&select-type=2",
        "GET /b12/k?torrent",
        "DELETE /b12/k?somethingNew",
      })
  void whatIsNotImplementedIsSaidAndDoesNothing(String line) throws Exception {
    String[] words = line.split(" ", 2);
    Told told = main.send(words[0], words[1], "");
    assertThat(told.brief()).isEqualTo("501 NotImplemented");
    assertThat(told.header("content-type")).isEqualTo("application/xml");
    nothingNew();
  }

  /** Links may carry what their maker likes: it is signed, and qualifies nothing. */
  @Test
  void aParameterThatMeansNothingIsLeftAlone() throws Exception {
    assertThat(main.get("/b12/k?x-id=GetObject")).isEqualTo("200");
    assertThat(main.get("/b12/k?cachebuster")).isEqualTo("200");
    assertThat(main.put("/b12/k?x-id=PutObject&from=here", BODY)).isEqualTo("200");
    nothingNew();
  }

  /** Also what no handler saw, for clients read nothing but XML. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET /b12/k HTTP/1.1~Host: a~Host: b~~                      | 400 InvalidRequest",
        "GET /b12/k HTTP/1.1~~                                      | 400 InvalidRequest",
        "GET /b12/k HTTP/1.1~Host: a~no colon~~                     | 400 InvalidRequest",
        "GET /b12/k HTTP/1.1~Host: a~Content-Length: x~~            | 400 InvalidRequest",
        "GET /b12/k%zz HTTP/1.1~Host: 127.0.0.1~~                   | 400 InvalidURI",
        "GET /b12/%ff HTTP/1.1~Host: 127.0.0.1~~                    | 400 InvalidURI",
        "BREW /b12/k HTTP/1.1~Host: 127.0.0.1~~                     | 405 MethodNotAllowed",
      })
  void everyRefusalIsADocumentWithItsRequestId(String request, String told) throws Exception {
    try (var client = new RawClient(door.port())) {
      String answer = client.send(request.replace("~", "\r\n")).answer();
      assertThat(SignedDoor.brief(answer)).isEqualTo(told);
      String id = answer.replaceAll("(?s).*<RequestId>([^<]*)</RequestId>.*", "$1");
      assertThat(answer.toLowerCase(Locale.ROOT))
          .contains("content-type: application/xml", "x-amz-request-id: " + id);
    }
  }

  /** What cannot be true of any object is no condition that was left out. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "x-amz-if-match-size               | -1                            | 400 InvalidArgument",
        "x-amz-if-match-size               | -7                            | 400 InvalidArgument",
        "x-amz-if-match-size               | 9223372036854775808           | 400 InvalidArgument",
        "x-amz-if-match-size               | 4                             | 412 PreconditionFailed",
        "x-amz-if-match-last-modified-time | Fri, 01 Jan 1960 00:00:00 GMT | 412 PreconditionFailed",
        "x-amz-if-match-last-modified-time | 1969-12-31T23:59:59Z          | 412 PreconditionFailed",
        "x-amz-if-match-last-modified-time | yesterday                     | 400 InvalidArgument",
      })
  void aDeleteWhoseConditionNothingMeetsDeletesNothing(String name, String value, String told)
      throws Exception {
    assertThat(main.send("DELETE", "/b12/k", "", name, value).brief()).isEqualTo(told);
    nothingNew();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<Size>-1</Size>                                           | 400 MalformedXML",
        "<Size>x</Size>                                            | 400 MalformedXML",
        "<Size>4</Size>                                            | 200 PreconditionFailed",
        "<LastModifiedTime>1960-01-01T00:00:00Z</LastModifiedTime> | 200 PreconditionFailed",
      })
  void theSameAmongMany(String condition, String told) throws Exception {
    String document = "<Delete><Object><Key>k</Key>%s</Object></Delete>".formatted(condition);
    assertThat(main.send("POST", "/b12?delete", document).brief()).isEqualTo(told);
    nothingNew();
  }

  /** Taken for the whole, a part would replace its object, and no version would be the newest. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "PUT    | /b12/k?partNumber=1           | 400 InvalidArgument",
        "PUT    | /b12/k?partNumber=            | 400 InvalidArgument",
        "PUT    | /b12/k?partNumber=1&uploadId= | 404 NoSuchUpload",
        "DELETE | /b12/k?versionId=             | 400 InvalidArgument",
        "GET    | /b12/k?versionId=             | 400 InvalidArgument",
      })
  void whatNamesAPartOrVersionWithoutSayingWhichIsRefused(String method, String target, String told)
      throws Exception {
    assertThat(main.send(method, target, method.equals("PUT") ? "other" : "").brief())
        .isEqualTo(told);
    nothingNew();
  }

  /** A date that no client can read, or no calendar has. */
  @Test
  void aLockForLongerThanACenturyIsRefused() throws Exception {
    assertThat(main.put("/locked", "", "x-amz-bucket-object-lock-enabled", "true"))
        .isEqualTo("200");
    for (String until : List.of("+10000-01-01T00:00:00Z", "+999999999-01-01T00:00:00Z")) {
      assertThat(
              main.put(
                  "/locked/new",
                  BODY,
                  "x-amz-object-lock-mode",
                  "GOVERNANCE",
                  "x-amz-object-lock-retain-until-date",
                  until))
          .isEqualTo("400 InvalidArgument");
    }
    for (String time :
        List.of("<Years>101</Years>", "<Years>2147483647</Years>", "<Days>36501</Days>")) {
      assertThat(main.put("/locked?object-lock", rule(time)))
          .isEqualTo("400 InvalidRetentionPeriod");
    }
    assertThat(main.put("/locked?object-lock", rule("<Days>36500</Days>"))).isEqualTo("200");
    assertThat(main.put("/locked/k", BODY)).isEqualTo("200");
  }

  /** What a build that took any number has stored locks for as long as can be said. */
  @Test
  void aLongerRuleOfAnEarlierBuildLocksForACentury() throws Exception {
    Instant now = Instant.parse("2030-01-01T00:00:00Z");
    for (String time : List.of("<Years>2147483647</Years>", "<Years>100</Years>")) {
      LockRule rule = LockRule.read(rule(time).getBytes(UTF_8)).orElseThrow();
      assertThat(Instant.ofEpochMilli(rule.from(now).untilMillis()))
          .isEqualTo(Instant.parse("2130-01-01T00:00:00Z"));
    }
  }

  private static String rule(String time) {
    return ("<ObjectLockConfiguration><ObjectLockEnabled>Enabled</ObjectLockEnabled><Rule>"
            + "<DefaultRetention><Mode>GOVERNANCE</Mode>%s</DefaultRetention></Rule>"
            + "</ObjectLockConfiguration>")
        .formatted(time);
  }

  /** A client learns that it met a delete marker, and since when it is there. */
  @Test
  void aReadOfADeleteMarkerSaysThatItIsOne() throws Exception {
    assertThat(main.put("/b14", "")).isEqualTo("200");
    assertThat(
            main.put(
                "/b14?versioning",
                "<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>"))
        .isEqualTo("200");
    String marker = main.send("DELETE", "/b14/k", "").header("x-amz-version-id");
    for (String method : List.of("GET", "HEAD")) {
      Told told = main.send(method, "/b14/k?versionId=" + marker, "");
      assertThat(told.status()).isEqualTo(405);
      assertThat(told.header("x-amz-delete-marker")).isEqualTo("true");
      assertThat(told.header("Allow")).isEqualTo("DELETE");
      assertThat(told.header("Last-Modified")).endsWith(" GMT");
    }
    assertThat(main.send("PATCH", "/b14/k", "").header("x-amz-delete-marker")).isEqualTo("none");
  }
}
