package dev.ron.storage.upload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Blake3;
import dev.ron.blake3.Hash;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.storage.StorageMetrics;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class OpenUploadsTest {
  private final Hash loud = Blake3.hash(new byte[] {1});
  private final Hash quiet = Blake3.hash(new byte[] {2});
  private final OpenUploads open =
      new OpenUploads(8, StorageMetrics.in(Scope.of("storage", World.real(Log.silent()))));

  /** None of them has its file yet. */
  private long begun(@Nullable Hash tenant, String name) {
    return IntStream.range(0, 8).filter(i -> open.begin(name + i, tenant).isEmpty()).count();
  }

  @Test
  void aTenantThatBeginsAllAtOnceLeavesPlacesToOthers() {
    assertThat(begun(loud, "loud")).isEqualTo(4);
    assertThat(begun(quiet, "quiet")).isEqualTo(2);
    assertThat(begun(null, "operator")).isEqualTo(2);
    open.changed("operator0");
    open.changed("operator1");
    assertThat(begun(loud, "again")).isZero();
    assertThat(open.begin("quiet0", null)).as("one id for two").isPresent();
  }
}
