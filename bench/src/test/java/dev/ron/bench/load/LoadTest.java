package dev.ron.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoadTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://127.0.0.1:8080/",
        "http://127.9.8.7/a?b=c",
        "https://[::1]:8443/x",
        "http://[::ffff:127.0.0.1]:80/",
      })
  void loopbackAddressesAreTaken(String target) {
    assertThat(new Load(URI.create(target), 1, 1, 1).target()).hasToString(target);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://localhost:8080/",
        "http://example.org/",
        "http://10.0.0.1/",
        "http://0.0.0.0:8080/",
        "http://192.168.1.1:80/",
        "http://[::]:80/",
        "http://[fe80::1]/",
        "http://[::ffff:8.8.8.8]/",
        "http://127.0.0.1.example.org/",
        "http://127.0.0.1@example.org/",
        "http://example.org@127.0.0.1/",
        "http:///path",
        "ftp://127.0.0.1/",
        "//127.0.0.1/",
        "file:/etc/passwd",
      })
  void everyOtherTargetIsRefused(String target) {
    assertThatThrownBy(() -> new Load(URI.create(target), 1, 1, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(target);
  }

  @Test
  void aHeaderIsOneLine() {
    URI target = URI.create("http://127.0.0.1/");
    assertThat(new Load(target, 1, 1, 1, Map.of("Range", "bytes=0-1")).headers()).hasSize(1);
    assertThatThrownBy(() -> new Load(target, 1, 1, 1, Map.of("A", "b\r\nC: d")))
        .hasMessageContaining("not one line");
  }

  @Test
  void theLoadIsBounded() {
    URI target = URI.create("http://127.0.0.1/");
    assertThatThrownBy(() -> new Load(target, 1025, 1, 1)).hasMessageContaining("connections 1025");
    assertThatThrownBy(() -> new Load(target, 100, 17, 1)).hasMessageContaining("threads 17");
    assertThatThrownBy(() -> new Load(target, 1, 1, 61)).hasMessageContaining("seconds 61");
    assertThatThrownBy(() -> new Load(target, 1, 1, 0)).hasMessageContaining("seconds 0");
    assertThatThrownBy(() -> new Load(target, 1, 2, 1)).hasMessageContaining("1 connections for 2");
  }
}
