package dev.ron.storage.s3.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.storage.s3.api.SignedDoor.Caller;
import dev.ron.storage.s3.api.SignedDoor.Told;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fields that an SDK puts into the query of a link are taken or refused, never passed over. */
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class PresignedFieldsTest {
  private SignedDoor door;
  private Caller main;

  @BeforeAll
  void open() throws Exception {
    door = new SignedDoor();
    main = door.tenant("main");
    assertThat(main.put("/b12", "")).isEqualTo("200");
    assertThat(main.put("/b12/k", "hello")).isEqualTo("200");
  }

  @AfterAll
  void close() {
    door.close();
  }

  private String linked(String method, String target, String body, String... more)
      throws Exception {
    return door.raw(
        main.signer().presign(main.unsigned(method, target), Duration.ofMinutes(1), Instant.now()),
        body,
        more);
  }

  @Test
  void whatALinkSaysOfTheObjectIsStored() throws Exception {
    assertThat(
            linked(
                "PUT",
                "/b12/new?x-amz-meta-color=dark%20red&X-Amz-Meta-Name=%C3%A9&x-amz-acl=public-read"
                    + "&x-amz-expected-bucket-owner=main&x-id=PutObject",
                "body"))
        .isEqualTo("200");
    Told told = main.send("HEAD", "/b12/new", "");
    assertThat(told.header("x-amz-meta-color")).isEqualTo("dark red");
    assertThat(told.header("x-amz-meta-name")).isNotEqualTo("none");
    assertThat(door.anonymous().get("/b12/new")).isEqualTo("200");
    assertThat(main.send("GET", "/b12/new?acl", "").text()).contains("AllUsers");
  }

  @Test
  void anotherOwnerOfTheBucketIsToldFromTheLink() throws Exception {
    assertThat(linked("PUT", "/b12/other?x-amz-expected-bucket-owner=another", "body"))
        .isEqualTo("403 AccessDenied");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x-amz-copy-source=%2Fb12%2Fk",
        "X-Amz-Copy-Source=%2Fb12%2Fk",
        "x-amz-server-side-encryption=AES256",
        "x-amz-server-side-encryption-customer-algorithm=AES256",
        "x-amz-object-lock-mode=GOVERNANCE",
        "x-amz-object-lock-legal-hold=ON",
        "x-amz-write-offset-bytes=5",
        "x-amz-if-match-size=4",
      })
  void whatWouldBeAnotherRequestWithoutItIsRefused(String parameter) throws Exception {
    for (String method : new String[] {"PUT", "DELETE"}) {
      assertThat(linked(method, "/b12/k?" + parameter, "")).isEqualTo("400 InvalidRequest");
    }
    assertThat(main.send("GET", "/b12/k", "").text()).isEqualTo("hello");
  }

  @ParameterizedTest
  @ValueSource(strings = {"x-amz-meta-a=%0D%0AX:%20y", "x-amz-meta-a%0D%0AX:%20y=b"})
  void whatIsNoFieldIsRefused(String parameter) throws Exception {
    assertThat(linked("PUT", "/b12/k?" + parameter, "")).isEqualTo("400 InvalidArgument");
  }

  /** Only a link has its fields in the query: elsewhere they are parameters that mean nothing. */
  @Test
  void aRequestThatIsSignedInItsFieldsTakesThemFromThere() throws Exception {
    assertThat(main.put("/b12/fields?x-amz-meta-a=b", "body")).isEqualTo("200");
    assertThat(main.send("HEAD", "/b12/fields", "").header("x-amz-meta-a")).isEqualTo("none");
    assertThat(door.anonymous().get("/b12/k?x-amz-meta-a=b")).isEqualTo("403 AccessDenied");
  }
}
