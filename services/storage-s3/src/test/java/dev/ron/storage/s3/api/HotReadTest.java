package dev.ron.storage.s3.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.sigv4.SignedRequest;
import dev.ron.storage.s3.api.SignedDoor.Caller;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

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
}
