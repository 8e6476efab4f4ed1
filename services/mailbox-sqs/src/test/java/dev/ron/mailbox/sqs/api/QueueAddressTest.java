package dev.ron.mailbox.sqs.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.ron.http.Refusal;
import dev.ron.mailbox.core.queue.QueueTopic;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class QueueAddressTest {
  private static final QueueAddress.Origin ORIGIN =
      new QueueAddress.Origin("123456789012", "eu-west-1", "us-east-1");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "q                                              | sqs/eu-west-1/123456789012/q",
        "q.fifo                                         | sqs/eu-west-1/123456789012/q.fifo",
        "/000000000000/q                                | sqs/eu-west-1/000000000000/q",
        "http://h:1/000000000000/q                      | sqs/eu-west-1/000000000000/q",
        "https://sqs.us-east-1.amazonaws.com/000000000000/q | sqs/eu-west-1/000000000000/q",
        "http://h/queue/q                               | sqs/eu-west-1/123456789012/q",
        "http://h/queue/000000000000/q                  | sqs/eu-west-1/000000000000/q",
        "http://h/queue/us-east-1/000000000000/q        | sqs/000000000000/q",
        "http://h/queue/eu-north-1/000000000000/q/      | sqs/eu-north-1/000000000000/q"
      })
  void isReadFromEveryForm(String url, String topic) throws Refusal {
    QueueAddress address = QueueAddress.ofUrl(url, ORIGIN);
    assertThat(address.topic()).isEqualTo(topic);
    assertThat(QueueAddress.ofTopic(topic, "us-east-1")).hasValue(address);
    assertThat(QueueAddress.ofArn(address.arn(), "us-east-1")).hasValue(address);
    var own = new QueueAddress.Origin("1", address.region(), "us-east-1");
    assertThat(QueueAddress.ofUrl(address.url("http://x"), own)).isEqualTo(address);
  }

  @ParameterizedTest
  @CsvSource({
    "http://h:1,                eu-west-1, http://h:1/queue/eu-west-1/000000000000/q",
    "http://h:1,                us-east-1, http://h:1/000000000000/q",
    "http://sqs.us-east-1.h:1,  us-east-1, http://sqs.us-east-1.h:1/000000000000/q",
    "http://sqs.us-east-1.h:1,  eu-west-1, http://sqs.eu-west-1.h:1/000000000000/q",
    "https://sqs.eu-west-1.h,   eu-west-1, https://sqs.eu-west-1.h/000000000000/q",
    "https://sqs.example.com,   eu-west-1, https://sqs.example.com/queue/eu-west-1/000000000000/q"
  })
  void aRegionGoesIntoTheHostWhereOneIsThere(String base, String region, String url) {
    var address = new QueueAddress("000000000000", region, "q", "us-east-1");
    assertThat(address.url(base)).isEqualTo(url);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "http://h",
        "http://h/q",
        "/a/q",
        "/000000000000/a b",
        "/000000000000/a.b",
        "/000000000000/../q",
        "/queue/EU/000000000000/q",
        "/queue/a/b/c/d"
      })
  void isRefusedWhereItIsNone(String url) {
    assertThatThrownBy(() -> QueueAddress.ofUrl(url, ORIGIN)).isInstanceOf(Refusal.class);
  }

  /** A body may be nothing but an address; its steps would take many times as much. */
  @ParameterizedTest
  @ValueSource(strings = {"/a", "http://h/a", "/", "a"})
  void oneOfManyStepsIsRefusedInLittleMemory(String start) {
    String url = start + "/a".repeat(2 << 20);
    String arn = "arn" + ":a".repeat(2 << 20);
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    assertThatThrownBy(() -> QueueAddress.ofUrl(url, ORIGIN)).isInstanceOf(Refusal.class);
    assertThat(QueueAddress.ofArn(arn, "us-east-1")).isEmpty();
    assertThat(threads.getCurrentThreadAllocatedBytes() - before)
        .isLessThan(url.length() + arn.length() + (1L << 20));
  }

  @Test
  void namesAreHeldToTheirLength() {
    assertThat(QueueAddress.isName("a".repeat(80))).isTrue();
    assertThat(QueueAddress.isName("a".repeat(81))).isFalse();
    assertThat(QueueAddress.isName("a".repeat(75) + ".fifo")).isTrue();
    assertThat(QueueAddress.isName("a".repeat(76) + ".fifo")).isFalse();
  }

  @Test
  void aTenantsAccountIsAlwaysTheSame() {
    assertThat(QueueTopic.accountOf("main")).matches("[0-9]{12}");
    assertThat(QueueTopic.accountOf("main")).isEqualTo(QueueTopic.accountOf("main"));
    assertThat(QueueTopic.accountOf("main")).isNotEqualTo(QueueTopic.accountOf("other"));
  }
}
