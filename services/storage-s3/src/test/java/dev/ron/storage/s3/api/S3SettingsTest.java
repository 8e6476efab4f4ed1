package dev.ron.storage.s3.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.capability.caveat.Caveat;
import dev.ron.capability.caveat.KeyPrefix;
import dev.ron.sigv4.PayloadMode;
import dev.ron.sigv4.SignedRequest;
import dev.ron.storage.s3.api.SignedDoor.Caller;
import dev.ron.storage.s3.api.SignedDoor.Told;
import dev.ron.testkit.RawClient;
import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is set on buckets and objects, and what it means for others, over sockets. */
final class S3SettingsTest {
  private static final String ACL_START =
      "<AccessControlPolicy xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'>"
          + "<Owner><ID>%s</ID></Owner><AccessControlList>";
  private static final String ACL_END = "</AccessControlList></AccessControlPolicy>";

  private SignedDoor door;
  private Caller main;
  private Caller alt;
  private Caller anonymous;

  @BeforeEach
  void open() throws Exception {
    door = new SignedDoor();
    main = door.tenant("main");
    alt = door.tenant("alt");
    anonymous = door.anonymous();
    assertThat(main.put("/b12", "")).isEqualTo("200");
  }

  @AfterEach
  void close() {
    door.close();
  }

  private void versioning(String status) throws Exception {
    assertThat(
            main.put(
                "/b12?versioning",
                "<VersioningConfiguration><Status>"
                    + status
                    + "</Status>"
                    + "</VersioningConfiguration>"))
        .isEqualTo("200");
  }

  @Test
  void versionsAreNamedKeptAndHidden() throws Exception {
    assertThat(main.send("GET", "/b12?versioning", "").text()).doesNotContain("Status");
    assertThat(main.send("PUT", "/b12/k", "zero").header("x-amz-version-id")).isEqualTo("none");
    versioning("Enabled");
    assertThat(main.send("GET", "/b12?versioning", "").text()).contains("<Status>Enabled</Status>");
    String one = main.send("PUT", "/b12/k", "one").header("x-amz-version-id");
    String two = main.send("PUT", "/b12/k", "two").header("x-amz-version-id");
    assertThat(main.send("GET", "/b12/k", "").text()).isEqualTo("two");
    assertThat(main.send("GET", "/b12/k?versionId=" + one, "").text()).isEqualTo("one");
    assertThat(main.send("GET", "/b12/k?versionId=null", "").text()).isEqualTo("zero");

    Told hidden = main.send("DELETE", "/b12/k", "");
    assertThat(hidden.header("x-amz-delete-marker")).isEqualTo("true");
    Told absent = main.send("GET", "/b12/k", "");
    assertThat(absent.brief()).isEqualTo("404 NoSuchKey");
    assertThat(absent.header("x-amz-delete-marker")).isEqualTo("true");
    assertThat(main.send("GET", "/b12/none", "").header("x-amz-delete-marker")).isEqualTo("false");
    String marker = hidden.header("x-amz-version-id");
    assertThat(main.get("/b12/k?versionId=" + marker)).isEqualTo("405 MethodNotAllowed");
    assertThat(main.delete("/b12/k?versionId=" + marker)).isEqualTo("204");
    assertThat(main.send("GET", "/b12/k", "").header("x-amz-version-id")).isEqualTo(two);

    versioning("Suspended");
    assertThat(main.send("PUT", "/b12/k", "three").header("x-amz-version-id")).isEqualTo("none");
    assertThat(main.send("GET", "/b12/k?versionId=null", "").text()).isEqualTo("three");
    assertThat(main.put("/b12?versioning", "<VersioningConfiguration/>"))
        .isEqualTo("400 MalformedXML");
  }

  /** The list of the version that is read decides, not the newest one's. */
  @ParameterizedTest
  @CsvSource({
    // lists of the first and second version, anonymous on the first, second and newest
    "public-read,        private,            200, 403 AccessDenied, 403 AccessDenied",
    "private,            public-read,        403 AccessDenied, 200, 200",
    "private,            authenticated-read, 403 AccessDenied, 403 AccessDenied, 403 AccessDenied",
  })
  void aVersionHasAListOfItsOwn(
      String first, String second, String onFirst, String onSecond, String onNewest)
      throws Exception {
    versioning("Enabled");
    String one = main.send("PUT", "/b12/k", "one", "x-amz-acl", first).header("x-amz-version-id");
    String two = main.send("PUT", "/b12/k", "two", "x-amz-acl", second).header("x-amz-version-id");
    assertThat(anonymous.get("/b12/k?versionId=" + one)).isEqualTo(onFirst);
    assertThat(anonymous.get("/b12/k?versionId=" + two)).isEqualTo(onSecond);
    assertThat(anonymous.get("/b12/k")).isEqualTo(onNewest);
    assertThat(alt.get("/b12/k")).isEqualTo(second.equals("private") ? "403 AccessDenied" : "200");
  }

  /** What is past shows what was hidden since: the right to read is not the right to it. */
  @ParameterizedTest
  @CsvSource({
    // the operations of a pair, what it gets of the newest and of a version
    "get,              200,              403 AccessDenied",
    "version-read,     403 AccessDenied, 200",
    "get version-read, 200,              200",
  })
  void aVersionIsReadByThoseThatMayReadVersions(
      String operations, String onNewest, String onVersion) throws Exception {
    assertThat(main.put("/b12/k", "first")).isEqualTo("200");
    versioning("Enabled");
    String id = main.send("PUT", "/b12/k", "second").header("x-amz-version-id");
    assertThat(main.put("/b12/k", "newest")).isEqualTo("200");
    var granted = Set.of((operations + " put").split(" ", -1));
    Caller caller = door.tenant("main", new Caveat.Operation(granted));
    String copied = "x-amz-copy-source";
    assertThat(caller.get("/b12/k")).isEqualTo(onNewest);
    assertThat(caller.put("/b12/copy", "", copied, "/b12/k")).isEqualTo(onNewest);
    for (String version : List.of("/b12/k?versionId=" + id, "/b12/k?versionId=null")) {
      assertThat(caller.get(version)).isEqualTo(onVersion);
      assertThat(caller.get(version + "&partNumber=1")).isEqualTo(onVersion.replace("200", "206"));
      assertThat(caller.send("HEAD", version, "").status() + "")
          .isEqualTo(onVersion.substring(0, 3));
      assertThat(caller.put("/b12/copy", "", copied, version)).isEqualTo(onVersion);
      assertThat(caller.get(version + "&attributes", "x-amz-object-attributes", "ETag"))
          .isEqualTo(onVersion);
    }
  }

  @Test
  void thatAnObjectIsAbsentIsToldToThoseThatMayList() throws Exception {
    Caller reader = door.tenant("main", new Caveat.Operation(Set.of("get")));
    assertThat(main.get("/b12/none")).isEqualTo("404 NoSuchKey");
    assertThat(main.get("/b12/none?tagging")).isEqualTo("404 NoSuchKey");
    assertThat(reader.get("/b12/none")).isEqualTo("403 AccessDenied");
    assertThat(alt.get("/b12/none")).isEqualTo("403 AccessDenied");
    assertThat(anonymous.get("/b12/none")).isEqualTo("403 AccessDenied");
    assertThat(main.put("/b12?acl", "", "x-amz-acl", "public-read")).isEqualTo("200");
    assertThat(alt.get("/b12/none")).isEqualTo("404 NoSuchKey");
    assertThat(alt.get("/b12/none?versionId=null")).isEqualTo("404 NoSuchVersion");
  }

  @Test
  void aKeyCaveatBoundsListingsAndDeletesOfSeveral() throws Exception {
    Caller inside = door.tenant("main", new Caveat.Key(KeyPrefix.of("a/")));
    main.put("/b12/a/1", "x");
    main.put("/b12/b/1", "x");
    assertThat(inside.get("/b12")).isEqualTo("403 AccessDenied");
    assertThat(inside.get("/b12?list-type=2&prefix=b%2F")).isEqualTo("403 AccessDenied");
    assertThat(inside.get("/b12?list-type=2&prefix=a")).isEqualTo("403 AccessDenied");
    Told listed = inside.send("GET", "/b12?list-type=2&prefix=a%2F", "");
    assertThat(listed.text()).contains("<Key>a/1</Key>").doesNotContain("b/1");
    assertThat(inside.get("/b12?versions&prefix=a%2F")).isEqualTo("200");
    assertThat(inside.get("/b12?versioning&prefix=a%2F")).isEqualTo("403 AccessDenied");

    Told deleted =
        inside.send(
            "POST",
            "/b12?delete",
            "<Delete><Object><Key>a/1</Key></Object><Object><Key>b/1</Key></Object></Delete>");
    assertThat(deleted.text())
        .contains("<Deleted><Key>a/1</Key></Deleted>")
        .contains("<Error><Key>b/1</Key><Code>AccessDenied</Code>");
    assertThat(main.get("/b12/a/1")).isEqualTo("404 NoSuchKey");
    assertThat(main.get("/b12/b/1")).isEqualTo("200");
    assertThat(
            alt.send("POST", "/b12?delete", "<Delete><Object><Key>b/1</Key></Object></Delete>")
                .text())
        .contains("<Code>AccessDenied</Code>");
    assertThat(main.get("/b12/b/1")).isEqualTo("200");
  }

  @Test
  void aTokenThatOnlyStoresSetsNothingElse() throws Exception {
    assertThat(main.put("/b13", "", "x-amz-bucket-object-lock-enabled", "true")).isEqualTo("200");
    Caller writer = door.tenant("main", new Caveat.Operation(Set.of("put")));
    String until = "2099-01-01T00:00:00Z";
    assertThat(writer.put("/b13/k", "x")).isEqualTo("200");
    assertThat(writer.put("/b13/k", "x", "x-amz-acl", "private")).isEqualTo("200");
    assertThat(writer.put("/b13/k", "x", "x-amz-acl", "public-read")).isEqualTo("403 AccessDenied");
    assertThat(writer.put("/b13/k", "x", "x-amz-grant-read", "id=alt"))
        .isEqualTo("403 AccessDenied");
    assertThat(writer.put("/b13/k", "x", "x-amz-tagging", "a=b")).isEqualTo("403 AccessDenied");
    assertThat(writer.put("/b13/k", "x", "x-amz-object-lock-legal-hold", "ON"))
        .isEqualTo("403 AccessDenied");
    assertThat(
            writer.put(
                "/b13/k",
                "x",
                "x-amz-object-lock-mode",
                "COMPLIANCE",
                "x-amz-object-lock-retain-until-date",
                until))
        .isEqualTo("403 AccessDenied");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET | /b12?requestPayment    | 200                                  | BucketOwner",
        "GET | /b12?logging           | 200                                  | BucketLoggingStatus",
        "GET | /b12?notification      | 200                                  | NotificationConf",
        "GET | /b12?accelerate        | 200                                  | AccelerateConf",
        "GET | /b12?website           | 404 NoSuchWebsiteConfiguration       | b12",
        "GET | /b12?replication       | 404 ReplicationConfigurationNotFoundError | b12",
        "GET | /b12?encryption | 404 ServerSideEncryptionConfigurationNotFoundError | b12",
        "GET | /b12?object-lock       | 404 ObjectLockConfigurationNotFoundError | b12",
        "GET | /b12?ownershipControls | 404 OwnershipControlsNotFoundError   | b12",
        "GET | /b12?tagging           | 404 NoSuchTagSet                     | b12",
        "GET | /b12?acl               | 200                                  | FULL_CONTROL",
        "GET | /b12/k?tagging         | 200                                  | TagSet",
        "GET | /b12/k?retention       | 400 InvalidRequest                   | ",
        "GET | /b12/k?legal-hold      | 400 InvalidRequest                   | ",
        "PUT | /b12?logging           | 501 NotImplemented                   | ",
        "PUT | /b12?acl               | 400 MissingSecurityHeader            | ",
        "DELETE | /b12?acl            | 405 MethodNotAllowed                 | ",
        "DELETE | /b12?tagging        | 204                                  | ",
        "PUT | /b12?object-lock       | 400 MalformedXML                     | ",
      })
  void whatClientsAskOfAnyBucket(String method, String target, String wanted, String text)
      throws Exception {
    main.put("/b12/k", "x");
    Told told = main.send(method, target, "");
    assertThat(told.brief()).isEqualTo(wanted);
    assertThat(told.text()).contains(text == null ? "" : text);
    assertThat(alt.send(method, target, "").status()).isIn(403, 501, 405);
  }

  @Test
  void tagsAreShownInTheOrderOfTheirNames() throws Exception {
    String tags =
        "<Tagging><TagSet><Tag><Key>b</Key><Value>2</Value></Tag>"
            + "<Tag><Key>a</Key><Value/></Tag></TagSet></Tagging>";
    main.put("/b12/k", "x", "x-amz-tagging", "foo=bar&bar");
    assertThat(main.send("GET", "/b12/k?tagging", "").text())
        .contains("<Key>bar</Key><Value></Value></Tag><Tag><Key>foo</Key><Value>bar</Value>");
    assertThat(main.put("/b12/k?tagging", tags)).isEqualTo("200");
    Told shown = main.send("GET", "/b12/k?tagging", "");
    assertThat(shown.text()).contains("<Key>a</Key><Value></Value></Tag><Tag><Key>b</Key>");
    assertThat(main.send("GET", "/b12/k", "").header("x-amz-tagging-count")).isEqualTo("2");
    assertThat(main.put("/b12/k?tagging", tags.replace(">b<", ">a<"))).isEqualTo("400 InvalidTag");
    assertThat(main.put("/b12?tagging", tags)).isEqualTo("204");
    assertThat(main.send("GET", "/b12?tagging", "").text()).contains("<Key>a</Key>");
    assertThat(main.delete("/b12/k?tagging")).isEqualTo("204");
    assertThat(main.send("GET", "/b12/k?tagging", "").text()).doesNotContain("<Tag>");
  }

  private static String tags(int count) {
    var document = new StringBuilder("<Tagging><TagSet>");
    for (int i = 0; i < count; i++) {
      document.append("<Tag><Key>").append(i).append("</Key><Value>v</Value></Tag>");
    }
    return document.append("</TagSet></Tagging>").toString();
  }

  private static String query(int count) {
    return IntStream.range(0, count).mapToObj(i -> i + "=v").collect(Collectors.joining("&"));
  }

  @Test
  void anObjectHasTenTagsAndABucketFifty() throws Exception {
    main.put("/b12/k", "x");
    for (String[] row : new String[][] {{"10", "200"}, {"11", "400 InvalidTag"}}) {
      int count = Integer.parseInt(row[0]);
      assertThat(main.put("/b12/k?tagging", tags(count))).isEqualTo(row[1]);
      assertThat(main.put("/b12/put", "x", "x-amz-tagging", query(count))).isEqualTo(row[1]);
      assertThat(main.send("POST", "/b12/up?uploads", "", "x-amz-tagging", query(count)).brief())
          .isEqualTo(row[1]);
      assertThat(
              main.put(
                  "/b12/copy",
                  "",
                  "x-amz-copy-source",
                  "/b12/k",
                  "x-amz-tagging-directive",
                  "REPLACE",
                  "x-amz-tagging",
                  query(count)))
          .isEqualTo(row[1]);
    }
    for (String key : List.of("k", "put", "copy")) {
      assertThat(main.send("GET", "/b12/" + key, "").header("x-amz-tagging-count"))
          .as("as before the refusal: " + key)
          .isEqualTo("10");
    }
    assertThat(main.put("/b12?tagging", tags(50))).isEqualTo("204");
    assertThat(main.put("/b12?tagging", tags(51))).isEqualTo("400 InvalidTag");
    assertThat(main.send("GET", "/b12?tagging", "").text()).contains(">49<").doesNotContain(">50<");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "main | CanonicalUser | ID  | alt   | READ    | 200",
        "main | CanonicalUser | ID  | _alt  | READ    | 400 InvalidArgument",
        "main | CanonicalUser | ID  | alt   | DANCE   | 400 MalformedACLError",
        "main | CanonicalUser | URI | alt   | READ    | 400 MalformedACLError",
        "main | Crowd         | ID  | alt   | READ    | 400 MalformedACLError",
        "main | Group | URI | http://acs.amazonaws.com/groups/global/AllUsers | READ | 200",
        "main | Group | URI | http://acs.amazonaws.com/groups/s3/LogDelivery  | READ"
            + " | 400 InvalidArgument",
        "main | AmazonCustomerByEmail | EmailAddress | alt@example.com | READ"
            + " | 400 UnresolvableGrantByEmailAddress",
        "alt  | CanonicalUser | ID  | alt   | READ    | 403 AccessDenied",
      })
  void aListIsCheckedAsAWhole(
      String owner, String type, String name, String value, String permission, String wanted)
      throws Exception {
    String document =
        ACL_START.formatted(owner)
            + "<Grant><Grantee xsi:type='%s'><%s>%s</%s></Grantee>"
                .formatted(type, name, value, name)
            + "<Permission>"
            + permission
            + "</Permission></Grant>"
            + ACL_END;
    main.put("/b12/k", "x");
    assertThat(main.put("/b12?acl", document)).isEqualTo(wanted);
    assertThat(main.put("/b12/k?acl", document)).isEqualTo(wanted);
    String after = wanted.equals("200") ? "200" : "403 AccessDenied";
    assertThat(alt.get("/b12/k")).isEqualTo(after);
    assertThat(alt.get("/b12")).isEqualTo(after);
    assertThat(alt.get("/b12/k?acl")).isEqualTo("403 AccessDenied");
    assertThat(alt.put("/b12?acl", "", "x-amz-acl", "private")).isEqualTo("403 AccessDenied");
  }

  @Test
  void anOwnerOfAnObjectInAnotherBucketMayAlwaysMendItsList() throws Exception {
    main.put("/b12?acl", "", "x-amz-acl", "public-read-write");
    assertThat(alt.put("/b12/k", "x")).isEqualTo("200");
    assertThat(alt.put("/b12/k?acl", ACL_START.formatted("alt") + ACL_END)).isEqualTo("200");
    assertThat(alt.get("/b12/k")).isEqualTo("403 AccessDenied");
    assertThat(alt.get("/b12/k?acl")).isEqualTo("200");
    assertThat(alt.put("/b12/k?acl", "", "x-amz-acl", "private")).isEqualTo("200");
    assertThat(alt.get("/b12/k")).isEqualTo("200");
    assertThat(anonymous.put("/b12/k?acl", "", "x-amz-acl", "public-read"))
        .isEqualTo("403 AccessDenied");
  }

  @Test
  void whereTheBucketOwnerOwnsAllNoListLetsIn() throws Exception {
    String rule =
        "<OwnershipControls><Rule><ObjectOwnership>BucketOwnerEnforced</ObjectOwnership></Rule>"
            + "</OwnershipControls>";
    main.put("/b12/k", "x", "x-amz-acl", "public-read");
    assertThat(anonymous.get("/b12/k")).isEqualTo("200");
    assertThat(main.put("/b12?ownershipControls", rule)).isEqualTo("200");
    assertThat(main.send("GET", "/b12?ownershipControls", "").text())
        .contains("BucketOwnerEnforced");
    assertThat(anonymous.get("/b12/k")).isEqualTo("403 AccessDenied");
    assertThat(main.put("/b12/k", "x", "x-amz-acl", "public-read"))
        .isEqualTo("400 AccessControlListNotSupported");
    assertThat(main.put("/b12/k", "x", "x-amz-acl", "bucket-owner-full-control")).isEqualTo("200");
    assertThat(main.put("/b12?acl", "", "x-amz-acl", "public-read"))
        .isEqualTo("400 AccessControlListNotSupported");
    assertThat(main.delete("/b12?ownershipControls")).isEqualTo("204");
    assertThat(main.put("/b12/k", "x", "x-amz-acl", "public-read")).isEqualTo("200");
    assertThat(main.put("/b13", "", "x-amz-object-ownership", "BucketOwnerEnforced"))
        .isEqualTo("200");
    assertThat(main.get("/b13?ownershipControls")).isEqualTo("200");
  }

  @Test
  void aLockKeepsAVersion() throws Exception {
    String rule =
        "<ObjectLockConfiguration><ObjectLockEnabled>Enabled</ObjectLockEnabled><Rule>"
            + "<DefaultRetention><Mode>GOVERNANCE</Mode><Days>1</Days></DefaultRetention></Rule>"
            + "</ObjectLockConfiguration>";
    assertThat(main.put("/b12?object-lock", rule)).isEqualTo("409 InvalidBucketState");
    versioning("Enabled");
    assertThat(main.put("/b12?object-lock", rule)).isEqualTo("200");
    assertThat(main.send("GET", "/b12?object-lock", "").text()).contains("<Days>1</Days>");
    String id = main.send("PUT", "/b12/k", "x").header("x-amz-version-id");
    String version = "/b12/k?versionId=" + id;
    assertThat(main.send("GET", "/b12/k", "").header("x-amz-object-lock-mode"))
        .isEqualTo("GOVERNANCE");
    assertThat(main.send("GET", "/b12/k?retention", "").text()).contains("RetainUntilDate");
    assertThat(main.put("/b12/k?legal-hold", "<LegalHold><Status>ON</Status></LegalHold>"))
        .isEqualTo("200");
    assertThat(main.send("GET", "/b12/k?legal-hold", "").text()).contains("ON");
    String bypass = "x-amz-bypass-governance-retention";
    assertThat(main.delete(version, bypass, "true")).isEqualTo("403 AccessDenied");
    assertThat(main.put("/b12/k?legal-hold", "<LegalHold><Status>OFF</Status></LegalHold>"))
        .isEqualTo("200");
    assertThat(main.delete(version)).isEqualTo("403 AccessDenied");
    Caller deleter = door.tenant("main", new Caveat.Operation(Set.of("version-delete")));
    assertThat(deleter.delete(version, bypass, "true")).isEqualTo("403 AccessDenied");
    assertThat(main.put("/b12/k?retention", "<Retention/>")).isEqualTo("403 AccessDenied");
    assertThat(main.delete(version, bypass, "true")).isEqualTo("204");
  }

  @Test
  void aBodyWithoutALengthIsTakenUpToTheLimit() throws Exception {
    byte[] bytes = new byte[300_000];
    new SplittableRandom(3).nextBytes(bytes);
    assertThat(streamed("/b12/k", bytes).status()).isEqualTo(200);
    assertThat(main.send("GET", "/b12/k", "").answer().body()).isEqualTo(bytes);
    assertThat(streamed("/b12/k", new byte[0]).status()).isEqualTo(200);
    assertThat(main.send("GET", "/b12/k", "").answer().body()).isEmpty();
    assertThat(streamed("/b12/k", new byte[(1 << 20) + 1]).brief()).isEqualTo("400 EntityTooLarge");
    assertThat(streamed("/b12/k", new byte[1 << 20]).status()).isEqualTo(200);
    assertThat(main.send("HEAD", "/b12/k", "").header("content-length")).isEqualTo("1048576");
  }

  private Told streamed(String target, byte[] bytes) throws Exception {
    return main.send(
        "PUT",
        target,
        HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(bytes)));
  }

  /** Nothing of the body was sent: its length alone is too much, and is not asked to come. */
  @Test
  void aLengthOverTheLimitIsRefusedBeforeTheBody() throws Exception {
    long large = (1 << 20) + 1;
    Told begun = main.send("POST", "/b12/k?uploads", "");
    String upload = begun.text().replaceAll("(?s).*<UploadId>([^<]*)</UploadId>.*", "$1");
    for (String target : List.of("/b12/k", "/b12/k?partNumber=1&uploadId=" + upload)) {
      for (PayloadMode mode :
          List.of(new PayloadMode.Unsigned(), new PayloadMode.SignedChunks(false))) {
        SignedRequest put =
            main.signer()
                .sign(
                    main.unsigned(
                        "PUT", target, "x-amz-decoded-content-length", Long.toString(large)),
                    mode,
                    Instant.now())
                .request();
        for (String[] more : new String[][] {{}, {"Expect", "100-continue"}}) {
          try (var client = new RawClient(door.port())) {
            client.send(SignedDoor.text(put, (int) large, more));
            assertThat(SignedDoor.brief(client.answer())).isEqualTo("400 EntityTooLarge");
          }
        }
      }
    }
    assertThat(main.get("/b12/k")).isEqualTo("404 NoSuchKey");
  }

  /** This door has no keys of its own. */
  @Test
  void whatShouldBeEncryptedIsNotStoredPlain() throws Exception {
    assertThat(main.put("/b12/k", "x", "x-amz-server-side-encryption", "AES256"))
        .isEqualTo("501 NotImplemented");
    assertThat(main.get("/b12/k")).isEqualTo("404 NoSuchKey");
  }

  @Test
  void aBucketIsMadeAgainOnlyAsItIs() throws Exception {
    assertThat(main.put("/b12", "")).isEqualTo("200");
    assertThat(main.put("/b12", "", "x-amz-acl", "public-read"))
        .isEqualTo("409 BucketAlreadyExists");
    assertThat(alt.put("/b12", "")).isEqualTo("409 BucketAlreadyExists");
    assertThat(anonymous.put("/b14", "")).isEqualTo("403 AccessDenied");
  }
}
