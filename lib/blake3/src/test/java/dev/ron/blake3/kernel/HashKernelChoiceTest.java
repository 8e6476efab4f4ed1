package dev.ron.blake3.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.blake3.Blake3;
import dev.ron.blake3.Inputs;
import dev.ron.blake3.Loudly;
import dev.ron.blake3.Oracles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The choice, seen from processes started in different ways. */
class HashKernelChoiceTest {
  /** What the child processes run: settles, hashes, prints. */
  static final class Child {
    private Child() {}

    public static void main(String[] args) {
      String name = HashKernelChoice.settle();
      System.out.println("kernel " + name);
      System.out.println("hash " + Blake3.hash(Inputs.cycling(200_000)));
    }
  }

  private static final String EXPECTED =
      "hash " + Oracles.commons(Inputs.cycling(200_000), 200_000);

  private static List<String> child(String... options) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx128m");
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Child.class.getName()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    List<String> lines = process.inputReader().lines().toList();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return lines;
  }

  @Test
  void theRaceIsWonByAKernelOfThisMachine() {
    String name = HashKernelChoice.settle();
    assertThat(HashKernels.here()).extracting(HashKernel::name).contains(name);
    assertThat(HashKernelChoice.notes()).anyMatch(note -> note.startsWith("scalar "));
    assertThat(HashKernelChoice.settle()).isEqualTo(name);
  }

  @Test
  void withoutTheVectorModulePlainJavaServes() throws Exception {
    assertThat(child()).contains("kernel scalar", EXPECTED).noneMatch(l -> l.contains("WARNING"));
  }

  @Test
  void thePropertyDecides() throws Exception {
    String vectors = "--add-modules=jdk.incubator.vector";
    assertThat(child(vectors, "-Dron.blake3.kernel=vector4")).contains("kernel vector4", EXPECTED);
    assertThat(child(vectors, "-Dron.blake3.kernel=scalar")).contains("kernel scalar", EXPECTED);
    assertThat(child("-Dron.blake3.kernel=vector16"))
        .anyMatch(l -> l.contains("ron.blake3.kernel=vector16: not on this machine"));
    assertThat(child("-Dron.blake3.kernel=fast")).anyMatch(l -> l.contains("not one of scalar"));
  }

  @Test
  void theLibraryIsUsedWhereThereIsOne() throws Exception {
    Loudly.assume(
        NativeHashKernel.find().isPresent(),
        "no libblake3 on this machine, and none named by ron.blake3.library");
    String library = System.getProperty(NativeHashKernel.LIBRARY_PROPERTY);
    String named = library == null ? "-Dron.none" : "-Dron.blake3.library=" + library;
    assertThat(child("--enable-native-access=ALL-UNNAMED", "-Dron.blake3.kernel=native", named))
        .contains("kernel native", EXPECTED);
  }

  @Test
  void everyKernelOfThisMachineAgreesWithPlainJava() {
    for (HashKernel kernel : HashKernels.here()) {
      assertThat(HashKernelCheck.disagreement(kernel)).as(kernel.name()).isEmpty();
    }
  }

  @Test
  void anUnknownKernelIsNamedInTheMessage() {
    assertThatThrownBy(() -> HashKernelChoice.named("quick")).hasMessageContaining("quick");
  }
}
