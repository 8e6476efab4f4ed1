package dev.ron.storage;

import static dev.ron.storage.Rig.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.World;
import dev.ron.kernel.disk.RealDisk;
import dev.ron.kernel.log.Log;
import dev.ron.testkit.LiveFiles;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What must not be guessed is made of secrets and of nothing else. */
@Timeout(60)
final class SecretsTest {
  private static final int SEGMENT_SECRET_AT = 16;
  private static final int SEGMENT_SECRET_WORDS = 4;

  private final Set<Long> handedOut = ConcurrentHashMap.newKeySet();

  @TempDir private Path folder;

  @Test
  void idsOfUploadsAndRequestsAndTheSecretOfASegmentAreSecrets() throws Exception {
    World real = World.real(Log.silent());
    var world =
        new World(
            real.time(),
            real.chance(),
            recorded(real.secrets()),
            new RealDisk(),
            real.threads(),
            real.log());
    try (var rig = new Rig(Rig.table(folder), world, null)) {
      HttpResponse<byte[]> begun = rig.send("POST", "/o/uploads", new byte[0]);
      String upload = Rig.field(Rig.words(begun), "upload");
      assertThat(handedOut).contains(word(upload, 0), word(upload, 16));
      String request = begun.headers().firstValue("X-Corr-ID").orElseThrow().replace("-", "");
      assertThat(lowBits(handedOut)).contains(word(request, 16) & (-1L >>> 2));
      assertThat(rig.put(bytes(1, 100)).statusCode()).isEqualTo(201);
    }
    assertThat(handedOut).containsAll(segmentSecrets());
  }

  private RandomGenerator recorded(RandomGenerator secrets) {
    return () -> {
      long next = secrets.nextLong();
      handedOut.add(next);
      return next;
    };
  }

  private static long word(String hex, int at) {
    return Long.parseUnsignedLong(hex.substring(at, at + 16), 16);
  }

  /** All but the two that say which kind of id it is. */
  private static Set<Long> lowBits(Set<Long> words) {
    return words.stream().map(word -> word & (-1L >>> 2)).collect(Collectors.toSet());
  }

  private Set<Long> segmentSecrets() throws IOException {
    var words = new HashSet<Long>();
    for (Path file : LiveFiles.under(folder)) {
      if (!file.toString().endsWith(".segment")) {
        continue;
      }
      ByteBuffer head = ByteBuffer.wrap(Files.readAllBytes(file)).position(SEGMENT_SECRET_AT);
      for (int i = 0; i < SEGMENT_SECRET_WORDS; i++) {
        words.add(head.getLong());
      }
    }
    assertThat(words).as("segments were looked at").isNotEmpty();
    return words;
  }
}
