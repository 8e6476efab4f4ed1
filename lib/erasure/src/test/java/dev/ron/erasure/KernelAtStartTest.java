package dev.ron.erasure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The choice as a fresh process makes it: with the vector module, without it, and told. */
class KernelAtStartTest {
  /** What the child runs. */
  static final class Child {
    private Child() {}

    public static void main(String[] args) {
      ReedSolomon code = ReedSolomon.of(6, 3);
      byte[][] expected = Samples.encoded(6, 3, 1000, 1);
      byte[][] shards = Samples.copy(expected);
      for (int parity = 6; parity < 9; parity++) {
        Arrays.fill(shards[parity], (byte) 0);
      }
      code.encode(shards, 0, 1000);
      boolean right = Arrays.deepEquals(shards, expected);
      System.out.println(code.kernelName() + " right=" + right);
    }
  }

  @Test
  void withoutTheVectorModuleTheScalarKernelRuns() throws Exception {
    assertThat(child()).contains("scalar right=true");
  }

  @Test
  void thePropertyNamesTheKernel() throws Exception {
    assertThat(child("--add-modules=jdk.incubator.vector", "-Dron.erasure.kernel=vector-128"))
        .contains("vector-128 right=true");
    assertThat(child("--add-modules=jdk.incubator.vector", "-Dron.erasure.kernel=scalar"))
        .contains("scalar right=true");
  }

  @Test
  void withoutTheVectorModuleAVectorKernelCannotBeNamed() throws Exception {
    assertThat(child("-Dron.erasure.kernel=vector-128"))
        .contains("ron.erasure.kernel=vector-128: not one of [scalar]");
  }

  @Test
  @Tag("long") // the trial lasts its full ten seconds
  void aCompilerThatNeverComesLeavesTheScalarKernel() throws Exception {
    assertThat(child("--add-modules=jdk.incubator.vector", "-XX:TieredStopAtLevel=1"))
        .contains("scalar right=true");
  }

  private static String child(String... options) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(options));
    command.addAll(
        List.of("-Xmx128m", "-cp", System.getProperty("java.class.path"), Child.class.getName()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return output;
  }
}
