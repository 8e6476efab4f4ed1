package dev.ron.capability.caveat;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class OwnerTest {
  /** Who says what, under which name it is kept (- for not at all), and what its owner is. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          acme    | orders            | ~acme/orders
          acme    | a/b.c             | ~acme/a/b.c
          acme    | ~acme/orders      | -
          acme    | ~evil/orders      | -
          acme    | ~                 | -
          acme    | ~default/orders   | -
          default | orders            | orders
          default | ~acme/orders      | -
          -       | orders            | orders
          -       | acme/orders       | acme/orders
          -       | ~acme/orders      | ~acme/orders
          -       | ~a.b:c-d_e/orders | ~a.b:c-d_e/orders
          -       | ~default/orders   | orders
          -       | ~/orders          | -
          -       | ~acme             | -
          -       | ~.x/orders        | -
          -       | ~a b/orders       | -
          -       | ~a~b/orders       | -
          """)
  void aNameIsKeptByItsOwner(String who, String said, String kept) {
    Owner owner = who.equals("-") ? Owner.OPERATOR : new Owner(who);
    assertThat(owner.kept(said).orElse("-")).isEqualTo(kept);
    if (!kept.equals("-")) {
      assertThat(owner.owns(kept)).isTrue();
      assertThat(owner.kept(owner.shown(kept))).contains(kept);
      assertThat(new Owner("evil").owns(kept)).isFalse();
      assertThat(Owner.OPERATOR.owns(kept)).isTrue();
    }
  }

  @Test
  void whatHasNoOwnerIsTheDefaultTenants() {
    assertThat(Owner.ofKept("orders")).isEqualTo(new Owner("default"));
    assertThat(Owner.ofKept("~acme/orders")).isEqualTo(new Owner("acme"));
    assertThat(Owner.plain("~acme/a/b")).isEqualTo("a/b");
    assertThat(Owner.of(Optional.empty()).isOperator()).isTrue();
  }

  /** A tenant cannot be called so that its things look like another's. */
  @Test
  void noTwoOwnersKeepOneName() {
    assertThat(new Owner("a").kept("b/c")).isNotEqualTo(new Owner("a:b").kept("c"));
    assertThat(new Owner("a").owns("~a.b/c")).isFalse();
    assertThat(new Owner("a").owns("~ab/c")).isFalse();
    assertThat(new Owner("A").owns("~a/c")).isFalse();
  }
}
