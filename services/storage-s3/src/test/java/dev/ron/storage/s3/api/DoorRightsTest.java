package dev.ron.storage.s3.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.capability.caveat.Caveat;
import dev.ron.capability.caveat.KeyPrefix;
import dev.ron.sigv4.SignedRequest;
import dev.ron.storage.s3.api.SignedDoor.Caller;
import dev.ron.storage.s3.api.SignedDoor.Told;
import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What callers try that may do less than they ask for. */
@Timeout(120)
final class DoorRightsTest {
  private static final String DENIED = "403 AccessDenied";
  private static final String GOVERNED = "x-amz-object-lock-mode";
  private static final String UNTIL = "x-amz-object-lock-retain-until-date";

  private SignedDoor door;
  private Caller main;
  private Caller other;
  private Caller anonymous;

  @BeforeEach
  void open() throws Exception {
    door = new SignedDoor();
    main = door.tenant("main");
    other = door.tenant("other");
    anonymous = door.anonymous();
    assertThat(main.put("/b12", "")).isEqualTo("200");
    assertThat(main.put("/b12/k", "secret")).isEqualTo("200");
    assertThat(other.put("/theirs", "")).isEqualTo("200");
  }

  @AfterEach
  void close() {
    door.close();
  }

  private void policy(String bucket, String... statements) throws Exception {
    assertThat(
            main.put(
                "/" + bucket + "?policy",
                "{\"Version\":\"2012-10-17\",\"Statement\":["
                    + String.join(",", statements)
                    + "]}"))
        .isEqualTo("204");
  }

  private static String statement(String effect, String action, String resource, String more) {
    return """
    {"Effect":"%s","Principal":{"AWS":"other"},"Action":"s3:%s","Resource":"arn:aws:s3:::%s"%s}\
    """
        .formatted(effect, action, resource, more);
  }

  private static String element(Told told, String name) {
    Matcher found = Pattern.compile("<%s>([^<]*)</%s>".formatted(name, name)).matcher(told.text());
    assertThat(found.find()).as(told.text()).isTrue();
    return found.group(1);
  }

  /** A bucket of another tenant, by every way that names it. */
  @Test
  void anotherTenantReachesNothing() throws Exception {
    String upload = element(main.send("POST", "/b12/up?uploads", ""), "UploadId");
    for (Caller stranger : List.of(other, anonymous)) {
      for (String target :
          List.of(
              "/b12",
              "/b12?list-type=2",
              "/b12?versions",
              "/b12?uploads",
              "/b12?acl",
              "/b12?policy",
              "/b12?location",
              "/b12?versioning",
              "/b12?cors",
              "/b12?lifecycle",
              "/b12?tagging",
              "/b12/k",
              "/b12/k?versionId=null",
              "/b12/k?acl",
              "/b12/k?tagging",
              "/b12/k?attributes",
              "/b12/k?partNumber=1",
              "/b12/none",
              "/b12/up?uploadId=" + upload)) {
        assertThat(stranger.get(target)).as(target).isEqualTo(DENIED);
      }
      assertThat(stranger.put("/b12/k", "x")).isEqualTo(DENIED);
      assertThat(stranger.delete("/b12/k")).isEqualTo(DENIED);
      assertThat(stranger.delete("/b12")).isEqualTo(DENIED);
      assertThat(stranger.put("/b12/up?partNumber=1&uploadId=" + upload, "x")).isEqualTo(DENIED);
      assertThat(stranger.delete("/b12/up?uploadId=" + upload)).isEqualTo(DENIED);
      assertThat(stranger.put("/b12?acl", "", "x-amz-acl", "public-read")).isEqualTo(DENIED);
      assertThat(stranger.get("/b12/k", "If-None-Match", "\"5ebe2294ecd0e0f08eab7690d2a6ee69\""))
          .isEqualTo(DENIED);
      assertThat(stranger.get("/b12/k", "If-Modified-Since", "Fri, 01 Jan 2100 00:00:00 GMT"))
          .isEqualTo(DENIED);
    }
    // The upload's name is good for its own bucket and key only.
    assertThat(other.put("/theirs/up?partNumber=1&uploadId=" + upload, "x"))
        .isEqualTo("404 NoSuchUpload");
    assertThat(other.delete("/theirs/up?uploadId=" + upload)).isEqualTo("404 NoSuchUpload");
    assertThat(other.send("GET", "/", "").text()).contains("theirs").doesNotContain("b12");
    assertThat(anonymous.send("GET", "/", "").text()).contains("<Buckets></Buckets>");
    assertThat(door.raw(main.unsigned("GET", "//"), "")).as("the same list").isEqualTo("200");
    assertThat(anonymous.put("/mine-now", "")).isEqualTo(DENIED);
    assertThat(other.put("/b12", "")).isEqualTo("409 BucketAlreadyExists");
  }

  /** The operator's name and that of callers without a key are no tenant's. */
  @ParameterizedTest
  @ValueSource(strings = {"operator", "anonymous"})
  void aTenantOfAReservedNameIsLetInNowhere(String name) throws Exception {
    Caller operator = door.operator();
    assertThat(operator.put("/ops", "")).isEqualTo("200");
    assertThat(operator.put("/ops/k", "secret")).isEqualTo("200");
    assertThat(main.put("/b12?acl", "", "x-amz-acl", "public-read-write")).isEqualTo("200");
    assertThat(anonymous.put("/b12/dropped", "x")).isEqualTo("200");
    Caller namesake = door.tenant(name);
    assertThat(namesake.get("/ops/k")).isEqualTo(DENIED);
    assertThat(namesake.get("/")).isEqualTo(DENIED);
    assertThat(namesake.put("/b12/dropped?acl", "", "x-amz-acl", "public-read")).isEqualTo(DENIED);
  }

  @Test
  void aPairNeverDoesMoreThanItsToken() throws Exception {
    assertThat(main.put("/b13", "")).isEqualTo("200");
    Caller bucket = door.tenant("main", new Caveat.Bucket(Set.of("b13")));
    assertThat(bucket.get("/b13")).isEqualTo("200");
    assertThat(bucket.get("/b12")).isEqualTo(DENIED);
    assertThat(bucket.get("/b12/k")).isEqualTo(DENIED);
    assertThat(bucket.get("/")).isEqualTo(DENIED);
    assertThat(bucket.put("/b14", "")).isEqualTo(DENIED);
    assertThat(bucket.put("/b13/k", "", "x-amz-copy-source", "/b12/k")).isEqualTo(DENIED);
    Caller key = door.tenant("main", new Caveat.Key(KeyPrefix.of("a/")));
    assertThat(key.put("/b12/a/1", "x")).isEqualTo("200");
    assertThat(key.put("/b12/a/1", "", "x-amz-copy-source", "/b12/k")).isEqualTo(DENIED);
    assertThat(key.put("/b12/a", "x")).isEqualTo(DENIED);
    assertThat(key.put("/b12/b/../a/1", "x")).isEqualTo(DENIED);
    assertThat(key.put("/b12?policy", "{}")).isEqualTo(DENIED);
    assertThat(key.put("/b12?acl", "", "x-amz-acl", "public-read")).isEqualTo(DENIED);
    assertThat(key.delete("/b12")).isEqualTo(DENIED);
    Caller elsewhere = door.operator(new Caveat.Service(Set.of("storage")));
    assertThat(elsewhere.get("/b12/k")).isEqualTo(DENIED);
    // Open to all, but not to a pair that is for something else.
    assertThat(main.put("/b12/k?acl", "", "x-amz-acl", "public-read")).isEqualTo("200");
    assertThat(anonymous.get("/b12/k")).isEqualTo("200");
    assertThat(bucket.get("/b12/k")).isEqualTo(DENIED);
  }

  @Test
  void theBytesOfACaveatAreCountedHoweverTheBodyComes() throws Exception {
    Caller small = door.tenant("main", new Caveat.Bytes(10));
    assertThat(small.put("/b12/small", "0123456789")).isEqualTo("200");
    assertThat(small.put("/b12/large", "0123456789a")).isEqualTo(DENIED);
    // Without a length, in chunks of HTTP.
    var open =
        BodyPublishers.ofInputStream(() -> new ByteArrayInputStream("0123456789a".getBytes(UTF_8)));
    assertThat(small.send("PUT", "/b12/large", open).status()).isIn(400, 403, 413);
    assertThat(main.get("/b12/large")).isEqualTo("404 NoSuchKey");
    var fits = BodyPublishers.ofInputStream(() -> new ByteArrayInputStream("0123".getBytes(UTF_8)));
    assertThat(small.send("PUT", "/b12/open", fits).status()).isEqualTo(200);
  }

  /** A condition on the version that is read is about the source, not about the copy. */
  @Test
  void aPolicyIsAskedAboutTheSourceThatIsCopied() throws Exception {
    assertThat(
            main.put(
                "/b12?versioning",
                "<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>"))
        .isEqualTo("200");
    String hidden = main.send("PUT", "/b12/doc", "hidden").header("x-amz-version-id");
    String shown = main.send("PUT", "/b12/doc", "shown").header("x-amz-version-id");
    policy(
        "b12",
        statement(
            "Allow",
            "GetObjectVersion",
            "b12/*",
            ",\"Condition\":{\"StringEquals\":{\"s3:VersionId\":\"" + shown + "\"}}"));
    assertThat(other.get("/b12/doc?versionId=" + shown)).isEqualTo("200");
    assertThat(other.get("/b12/doc?versionId=" + hidden)).isEqualTo(DENIED);
    assertThat(other.put("/theirs/doc", "", "x-amz-copy-source", "/b12/doc?versionId=" + shown))
        .isEqualTo("200");
    assertThat(
            other.put(
                "/theirs/doc?versionId=" + shown,
                "",
                "x-amz-copy-source",
                "/b12/doc?versionId=" + hidden))
        .isEqualTo(DENIED);
  }

  /** As on AWS, which wants the right to the bytes and that to what is told of them. */
  @Test
  void attributesNeedTheRightToReadToo() throws Exception {
    String all = "b12/*";
    policy("b12", statement("Allow", "GetObjectAttributes", all, ""));
    assertThat(attributes("")).as("without the bytes").isEqualTo(DENIED);
    policy("b12", statement("Allow", "GetObject", all, ""));
    assertThat(attributes("")).as("the bytes alone").isEqualTo(DENIED);
    policy("b12", statement("Allow", "GetObject*", all, ""));
    assertThat(attributes("")).isEqualTo("200");
    policy(
        "b12", statement("Allow", "GetObject*", all, ""), statement("Deny", "GetObject", all, ""));
    assertThat(attributes("")).as("a denial of the bytes covers them").isEqualTo(DENIED);
    for (String own : List.of("GetObjectVersion", "GetObjectVersionAttributes")) {
      policy("b12", statement("Allow", "GetObject*", all, ""), statement("Deny", own, all, ""));
      assertThat(attributes("&versionId=null")).as("of a version its own").isEqualTo(DENIED);
      assertThat(attributes("")).isEqualTo("200");
    }
    policy("b12", statement("Allow", "GetObjectVersion", all, ""));
    assertThat(attributes("&versionId=null")).as("its bytes alone").isEqualTo(DENIED);
  }

  private String attributes(String more) throws Exception {
    return other.get("/b12/k?attributes" + more, "x-amz-object-attributes", "ETag");
  }

  /** Signed as a plus sign, it is one: no other spelling of what was signed means a space. */
  @Test
  void aPlusSignIsItselfInTheQueryAndASpaceInTags() throws Exception {
    assertThat(main.put("/b12/a%2Bb", "")).isEqualTo("200");
    assertThat(main.put("/b12/a%20b", "", "x-amz-tagging", "a+b=c+d")).isEqualTo("200");
    assertThat(main.send("GET", "/b12?prefix=a+b", "").text())
        .contains("<Key>a+b</Key>")
        .doesNotContain("<Key>a b</Key>");
    assertThat(main.send("GET", "/b12?prefix=a%20b", "").text()).contains("<Key>a b</Key>");
    assertThat(main.send("GET", "/b12/a%20b?tagging", "").text())
        .contains("<Key>a b</Key><Value>c d</Value>");
    assertThat(main.put("/b12/t", "", "x-amz-tagging", "a=b&")).isEqualTo("400 InvalidTag");
    assertThat(main.put("/b12/t", "", "x-amz-tagging", "a=%4")).isEqualTo("400 InvalidArgument");
  }

  /** What is asked of a key that is not there is asked as a listing of that key. */
  @Test
  void whetherACopiesSourceIsThereIsToldByItsOwnName() throws Exception {
    policy(
        "b12",
        statement(
            "Allow",
            "ListBucket",
            "b12",
            ",\"Condition\":{\"StringLike\":{\"s3:prefix\":\"open/*\"}}"),
        statement("Allow", "GetObject", "b12/*", ""));
    assertThat(other.put("/theirs/open/x", "", "x-amz-copy-source", "/b12/open/none"))
        .isEqualTo("404 NoSuchKey");
    assertThat(other.put("/theirs/x", "", "x-amz-copy-source", "/b12/open/none"))
        .isEqualTo("404 NoSuchKey");
    assertThat(other.put("/theirs/open/x", "", "x-amz-copy-source", "/b12/shut/none"))
        .isEqualTo(DENIED);
  }

  /** The source that a condition is asked about is the one that is copied. */
  @Test
  void aCopySourceHasOneReading() throws Exception {
    assertThat(main.put("/src", "")).isEqualTo("200");
    assertThat(main.put("/src/open", "open")).isEqualTo("200");
    assertThat(main.put("/src/open%3Fsecret", "secret")).isEqualTo("200");
    assertThat(main.put("/src/open%3Fsecret?acl", "", "x-amz-acl", "public-read")).isEqualTo("200");
    assertThat(main.put("/src/open?acl", "", "x-amz-acl", "public-read")).isEqualTo("200");
    policy(
        "b12",
        statement(
            "Allow",
            "PutObject",
            "b12/*",
            ",\"Condition\":{\"StringEquals\":{\"s3:x-amz-copy-source\":\"src/open\"}}"));
    assertThat(other.put("/b12/copy", "", "x-amz-copy-source", "/src/open")).isEqualTo("200");
    assertThat(other.put("/b12/copy", "", "x-amz-copy-source", "src/op%65n")).isEqualTo("200");
    assertThat(other.put("/b12/copy", "", "x-amz-copy-source", "/src/open?secret"))
        .isEqualTo(DENIED);
    for (String odd :
        List.of("", "/", "src", "src/", "//open", "/src/%zz", "../src/open", "%00/x")) {
      assertThat(main.put("/b12/copy", "", "x-amz-copy-source", odd))
          .as(odd)
          .isIn("400 InvalidArgument", "400 InvalidURI", "404 NoSuchBucket");
    }
    assertThat(main.put("/b12/copy", "", "x-amz-copy-source", "/src/../b12/k"))
        .isEqualTo("404 NoSuchKey");
  }

  /** Tags are copied by the right to those of the version that is copied. */
  @Test
  void tagsOfAnOldVersionAreItsOwn() throws Exception {
    assertThat(
            main.put(
                "/b12?versioning",
                "<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>"))
        .isEqualTo("200");
    String old =
        main.send("PUT", "/b12/doc", "1", "x-amz-tagging", "class=secret")
            .header("x-amz-version-id");
    assertThat(main.put("/b12/doc", "2", "x-amz-tagging", "class=open")).isEqualTo("200");
    policy(
        "b12",
        statement("Allow", "GetObject*", "b12/*", ""),
        """
        {"Effect":"Deny","Principal":"*","Action":["s3:GetObjectTagging","s3:GetObjectVersionTagging"],
        "Resource":"arn:aws:s3:::b12/*","Condition":{"StringEquals":{"s3:ExistingObjectTag/class":"secret"}}}\
        """);
    assertThat(other.get("/b12/doc?tagging")).isEqualTo("200");
    assertThat(other.get("/b12/doc?tagging&versionId=" + old)).isEqualTo(DENIED);
    assertThat(other.put("/theirs/d", "", "x-amz-copy-source", "/b12/doc")).isEqualTo("200");
    assertThat(other.put("/theirs/d", "", "x-amz-copy-source", "/b12/doc?versionId=" + old))
        .isEqualTo(DENIED);
  }

  /** A policy that denies the bypass of some keys is asked for each of several. */
  @Test
  void aBypassIsAskedForEachKeyThatIsDeleted() throws Exception {
    assertThat(main.put("/locked", "", "x-amz-bucket-object-lock-enabled", "true"))
        .isEqualTo("200");
    String id =
        main.send(
                "PUT", "/locked/kept/k", "x", GOVERNED, "GOVERNANCE", UNTIL, "2099-01-01T00:00:00Z")
            .header("x-amz-version-id");
    policy(
        "locked",
        """
        {"Effect":"Deny","Principal":"*","Action":"s3:BypassGovernanceRetention",
        "Resource":"arn:aws:s3:::locked/kept/*"}\
        """);
    String[] bypass = {"x-amz-bypass-governance-retention", "true"};
    assertThat(main.delete("/locked/kept/k?versionId=" + id, bypass)).isEqualTo(DENIED);
    String document =
        "<Delete><Object><Key>kept/k</Key><VersionId>%s</VersionId></Object></Delete>"
            .formatted(id);
    assertThat(main.send("POST", "/locked?delete", document, bypass).text())
        .contains("<Code>AccessDenied</Code>");
    assertThat(main.get("/locked/kept/k?versionId=" + id)).isEqualTo("200");
    // A pair without the right does not bypass either, whatever its request says.
    Caller deletes = door.tenant("main", new Caveat.Operation(Set.of("delete", "version-delete")));
    assertThat(deletes.delete("/locked/kept/k?versionId=" + id, bypass)).isEqualTo(DENIED);
  }

  /** The right to store is none to lock: a lock outlives its bucket's owner's patience. */
  @Test
  void aGuestThatMayStoreCannotLock() throws Exception {
    assertThat(main.put("/locked", "", "x-amz-bucket-object-lock-enabled", "true"))
        .isEqualTo("200");
    policy("locked", statement("Allow", "PutObject", "locked/*", ""));
    assertThat(other.put("/locked/k", "x")).isEqualTo("200");
    String[] lock = {GOVERNED, "COMPLIANCE", UNTIL, "2099-01-01T00:00:00Z"};
    assertThat(other.put("/locked/k", "x", lock)).isEqualTo(DENIED);
    assertThat(other.put("/locked/k", "x", "x-amz-object-lock-legal-hold", "ON")).isEqualTo(DENIED);
    assertThat(other.send("POST", "/locked/k?uploads", "", lock).brief()).isEqualTo(DENIED);
    policy(
        "locked",
        statement("Allow", "PutObject", "locked/*", ""),
        statement("Allow", "PutObjectRetention", "locked/*", ""));
    assertThat(other.put("/locked/k", "x", lock)).isEqualTo("200");
    assertThat(other.put("/locked/k", "x", "x-amz-object-lock-legal-hold", "ON")).isEqualTo(DENIED);
  }

  /** Whether a tag fits tells what is in an object: only those that may read it are told. */
  @Test
  void aWriterLearnsNothingByConditions() throws Exception {
    Caller writer = door.tenant("main", new Caveat.Operation(Set.of("put", "delete")));
    String tag = main.send("GET", "/b12/k", "").header("ETag");
    assertThat(writer.put("/b12/k", "x", "If-Match", "\"guess\"")).isEqualTo(DENIED);
    assertThat(writer.put("/b12/k", "x", "If-Match", tag)).isEqualTo(DENIED);
    assertThat(writer.delete("/b12/k", "If-Match", "\"guess\"")).isEqualTo(DENIED);
    assertThat(writer.delete("/b12/k", "x-amz-if-match-size", "6")).isEqualTo(DENIED);
    assertThat(
            writer
                .send(
                    "POST",
                    "/b12?delete",
                    "<Delete><Object><Key>k</Key><ETag>guess</ETag></Object></Delete>")
                .text())
        .contains("<Code>AccessDenied</Code>");
    assertThat(main.put("/b12/k", "x", "If-Match", tag)).isEqualTo("200");
    assertThat(writer.put("/b12/new", "x", "If-None-Match", "*")).isEqualTo("200");
    assertThat(writer.put("/b12/new", "x", "If-None-Match", "*"))
        .isEqualTo("412 PreconditionFailed");
  }

  @Test
  void aPublicAccessBlockCoversEveryListing() throws Exception {
    assertThat(main.put("/b12?acl", "", "x-amz-acl", "public-read")).isEqualTo("200");
    List<String> listings = List.of("/b12", "/b12?list-type=2", "/b12?versions", "/b12?uploads");
    for (String listing : listings) {
      assertThat(anonymous.get(listing)).isEqualTo("200");
    }
    assertThat(
            main.put(
                "/b12?publicAccessBlock",
                "<PublicAccessBlockConfiguration><IgnorePublicAcls>true</IgnorePublicAcls>"
                    + "</PublicAccessBlockConfiguration>"))
        .isEqualTo("200");
    for (String listing : listings) {
      assertThat(anonymous.get(listing)).as(listing).isEqualTo(DENIED);
      assertThat(other.get(listing)).as(listing).isEqualTo(DENIED);
    }
  }

  /** No path of the door is the server's own, and none has a secret that is known. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/metrics",
        "/healthz",
        "/readyz",
        "/version",
        "/openapi.json",
        "/minio/health/live",
        "/minio/admin/v3/info",
        "/rustfs/rpc/read_file_stream",
        "/raft/vote",
        "/cluster/state",
        "/b12/../../etc/passwd",
        "/.well-known/x",
        "/o/abc",
        "///k",
      })
  void thereIsNothingButBuckets(String path) throws Exception {
    SignedRequest unsigned = main.unsigned("GET", path);
    assertThat(door.raw(unsigned, "")).isIn(DENIED, "404 NoSuchBucket", "400 InvalidBucketName");
  }

  /** A key is its bytes, whatever a path of files would make of them. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "../k",
        "a/../k",
        "./k",
        "a//b",
        "/k",
        "k/",
        "%2e%2e%2fk",
        "a%2Fb",
        "%00",
        "a%0Ab",
        "%7F",
        "..%5Ck",
        "%C3%BC",
        "%25",
        "%3F",
        "%23",
        "a+b",
        "a%20b",
        "%E2%80%AE",
      })
  void aKeyIsItsBytes(String key) throws Exception {
    SignedRequest put = main.signed(main.unsigned("PUT", "/b12/" + key));
    assertThat(door.raw(put, key)).isEqualTo("200");
    SignedRequest get = main.signed(main.unsigned("GET", "/b12/" + key));
    assertThat(door.raw(get, "")).isEqualTo("200");
    assertThat(main.send("GET", "/b12/k", "").text()).isEqualTo("secret");
    assertThat(main.send("GET", "/b12?list-type=2&encoding-type=url", "").text())
        .contains("<KeyCount>" + 2 + "</KeyCount>");
    SignedRequest delete = main.signed(main.unsigned("DELETE", "/b12/" + key));
    assertThat(door.raw(delete, "")).isEqualTo("204");
  }

  /** Ceph's clients may take keys in any order, which is ours, but not in groups. */
  @Test
  void aListingInAnyOrderHasNoGroups() throws Exception {
    assertThat(main.get("/b12?allow-unordered=true")).isEqualTo("200");
    assertThat(main.get("/b12?allow-unordered=true&delimiter=/")).isEqualTo("400 InvalidArgument");
    assertThat(main.get("/b12?allow-unordered=false&delimiter=/")).isEqualTo("200");
  }

  @Test
  void whatIsNoKeyIsRefused() throws Exception {
    assertThat(main.put("/b12/" + "a".repeat(1024), "x")).isEqualTo("200");
    assertThat(main.put("/b12/" + "a".repeat(1025), "x")).isEqualTo("400 KeyTooLongError");
    for (String key : List.of("%FF", "%C0%AE", "%ED%A0%80", "%f", "%zz")) {
      SignedRequest put = main.unsigned("PUT", "/b12/" + key);
      assertThat(door.raw(put, "x")).as(key).startsWith("400 ");
    }
    for (String bucket : List.of("/..", "/%2e%2e", "/a%2Fb", "/B12", "/127.0.0.1", "/b12%00")) {
      SignedRequest put = main.signed(main.unsigned("PUT", bucket));
      assertThat(door.raw(put, "")).as(bucket).isEqualTo("400 InvalidBucketName");
    }
  }
}
