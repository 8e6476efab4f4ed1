package dev.ron.usage;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The seals of one node in their order, checked one after the other: spelling, signature, the link
 * to the one before, and the accounting behind the address.
 *
 * <p>Threading: owned by one thread.
 */
public final class SealChain {
  /** Where accounting comes from. */
  @FunctionalInterface
  public interface Source {
    /** The bytes at an address, verified or not; empty if they are not there. */
    Optional<byte[]> read(Address address) throws IOException, InterruptedException;
  }

  /** How a finding says that a span was sealed as lost. */
  public static final String LOST = "what was used in its span is lost";

  private final Source source;
  private final List<String> findings = new ArrayList<>();
  private int seals;
  private @Nullable Long first;
  private @Nullable Seal last;
  private @Nullable Address lastAddress;

  public SealChain(Source source) {
    this.source = source;
  }

  /** Checks the next one. */
  public void next(byte[] bytes) throws IOException, InterruptedException {
    seals++;
    Seal seal;
    try {
      seal = Seal.parse(bytes);
    } catch (IOException wrong) {
      findings.add("seal %d of the list: %s".formatted(seals, wrong.getMessage()));
      forget();
      return;
    }
    if (seal.signer().isEmpty()) {
      find(seal, "the signature does not fit, or is not by the key of node " + seal.node());
    }
    if (seal.to().isBefore(seal.from())) {
      find(seal, "it ends before it begins");
    }
    seal.lost().ifPresent(why -> find(seal, LOST + ": " + why));
    first = first == null ? seal.number() : first;
    link(seal);
    accounting(seal);
    last = seal;
    lastAddress = new Address(Blake3.hash(bytes));
  }

  /** In the place of one that the node itself found damaged. */
  public void damaged(long number, String file, String why) {
    seals++;
    first = first == null ? number : first;
    findings.add("seal %d: %s is damaged: %s".formatted(number, file, why));
    forget();
  }

  private void forget() {
    last = null;
    lastAddress = null;
  }

  /** The number of the first seal that could be read; a part of a chain begins later than at 1. */
  public Optional<Long> firstNumber() {
    return Optional.ofNullable(first);
  }

  private void link(Seal seal) {
    Seal before = last;
    if (before == null) {
      if (seals == 1 && seal.number() == 1 && seal.previous().isPresent()) {
        find(seal, "the first one names one before it");
      }
      return;
    }
    if (!seal.node().equals(before.node())) {
      find(seal, "it is by node %s, the one before by %s".formatted(seal.node(), before.node()));
    }
    if (seal.number() != before.number() + 1) {
      find(seal, "the one before is number " + before.number());
    }
    if (!seal.previous().equals(Optional.ofNullable(lastAddress))) {
      find(seal, "it names another one before it");
    }
    if (!seal.from().equals(before.to())) {
      find(seal, "it begins at %s, the one before ends at %s".formatted(seal.from(), before.to()));
    }
  }

  private void accounting(Seal seal) throws IOException, InterruptedException {
    Optional<byte[]> lines = source.read(seal.accounting());
    if (lines.isEmpty()) {
      find(seal, "its accounting %s is not there".formatted(seal.accounting()));
      return;
    }
    if (!new Address(Blake3.hash(lines.get())).equals(seal.accounting())) {
      find(seal, "its accounting is not what its address says");
      return;
    }
    try {
      SortedMap<UsageKey, Long> units = AccountingLines.read(lines.get());
      if (!AccountingLines.counts(units).equals(seal.counts())) {
        find(seal, "its counts are not the sums of its accounting");
      }
    } catch (IOException wrong) {
      find(seal, "its accounting cannot be read: " + wrong.getMessage());
    }
  }

  private void find(Seal seal, String what) {
    findings.add("seal %d: %s".formatted(seal.number(), what));
  }

  /** What is wrong, in the order it was found; empty if all is right. */
  public List<String> findings() {
    return List.copyOf(findings);
  }

  public int seals() {
    return seals;
  }
}
