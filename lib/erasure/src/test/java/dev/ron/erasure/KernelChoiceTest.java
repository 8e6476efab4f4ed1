package dev.ron.erasure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class KernelChoiceTest {
  /** Right but for one bit of the last output byte. */
  private record Liar(Kernel honest) implements Kernel {
    @Override
    public String name() {
      return "liar";
    }

    @Override
    public void apply(Combination of, byte[][] in, int inAt, byte[][] out, int outAt, int length) {
      honest.apply(of, in, inAt, out, outAt, length);
      out[of.into[of.rows() - 1]][outAt + length - 1] ^= 1;
    }
  }

  @Test
  void theVectorModuleIsHereAndOffersAKernelPerWidth() {
    assertThat(KernelChoice.available().getLast().name()).isEqualTo("scalar");
    assertThat(KernelChoice.available()).extracting(Kernel::name).contains("vector-128");
  }

  @Test
  void aKernelCanBeNamed() {
    for (Kernel kernel : KernelChoice.available()) {
      KernelChoice choice = KernelChoice.choose(kernel.name(), KernelChoice.available());
      assertThat(choice.name()).isEqualTo(kernel.name());
    }
  }

  @Test
  void anUnknownNameIsRefusedWithTheKnownOnes() {
    assertThatThrownBy(() -> KernelChoice.choose("gpu", List.of(new ScalarKernel())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("ron.erasure.kernel=gpu: not one of [scalar]");
  }

  @Test
  void aKernelThatComputesWrongIsNeverTaken() {
    List<Kernel> available = List.of(new Liar(new ScalarKernel()), new ScalarKernel());
    KernelChoice choice = KernelChoice.choose(null, available);
    assertThat(choice.name()).isEqualTo("scalar");
    assertThat(choice.trials()).contains(new KernelChoice.Trial("liar", false, 0));
    assertThatThrownBy(() -> KernelChoice.choose("liar", available))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("wrong results");
  }

  @Test
  void whatIsChosenHereHasPassedItsTrial() {
    KernelChoice choice = KernelChoice.atStart();
    assertThat(choice.trials())
        .anySatisfy(
            trial -> {
              assertThat(trial.kernel()).isEqualTo(choice.name());
              assertThat(trial.agrees()).isTrue();
            });
  }
}
