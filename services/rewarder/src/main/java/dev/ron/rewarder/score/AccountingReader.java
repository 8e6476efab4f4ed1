package dev.ron.rewarder.score;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.ron.blake3.Address;
import dev.ron.blake3.CheckResult;
import dev.ron.decode.DecodeLimits;
import dev.ron.rewarder.RewarderFault;
import dev.ron.rewarder.RewarderFaultException;
import dev.ron.rewarder.core.Quarantine;
import dev.ron.rewarder.core.score.LineFault;
import dev.ron.rewarder.core.score.Tally;
import dev.ron.rewarder.input.CsvScanner;
import dev.ron.rewarder.input.DecodedInput;
import dev.ron.rewarder.input.JsonLineScanner;
import dev.ron.rewarder.input.LineBlocks;
import dev.ron.rewarder.input.LineScanner;
import dev.ron.rewarder.input.SealedInputs;
import dev.ron.usage.Seal;
import dev.ron.usage.SealList;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds out what an accounting input is and cuts it into pieces.
 *
 * <p>By its first bytes: Parquet, or text under gzip or zstd or plain. The text is JSON lines, CSV,
 * a list of addresses of further inputs, one in each line, so that an epoch may come in parts, or a
 * {@link SealList}, whose parts are the accountings of its seals.
 *
 * <p>Threading: immutable.
 *
 * @param folder for what must lie on the disk to be read
 */
public record AccountingReader(SealedInputs inputs, DecodeLimits limits, Path folder) {
  private static final int PARTS_MAX = 8192;

  /**
   * What reading came to.
   *
   * @param bad why the run is quarantined, if it is
   * @param seals that the accounting came from, in their order; empty for others
   */
  public record Outcome(Optional<Quarantine> bad, List<Address> seals) {
    public Outcome {
      seals = List.copyOf(seals);
    }
  }

  /** Adds the whole input up. */
  public Outcome read(Address address, ParallelTally reading)
      throws IOException, InterruptedException {
    var seals = new ArrayList<Address>();
    Optional<Quarantine> bad = read(address, reading, true, seals);
    return new Outcome(bad, seals);
  }

  private Optional<Quarantine> read(
      Address address, ParallelTally reading, boolean mayHaveParts, List<Address> seals)
      throws IOException, InterruptedException {
    reading.begin();
    try (DecodedInput input = DecodedInput.open(inputs.open(address), limits)) {
      try {
        if (input.parquet()) {
          return ParquetPieces.read(inputs.file(address, folder.resolve("parquet")), reading)
              .map(fault -> wrong(address, fault));
        }
        List<Address> parts = text(address, input, reading, mayHaveParts, seals);
        for (Address part : parts) {
          Optional<Quarantine> bad = read(part, reading, false, seals);
          if (bad.isPresent()) {
            return bad;
          }
        }
        return Optional.empty();
      } catch (Stop stopped) {
        input.verify();
        return Optional.of(stopped.quarantine);
      } catch (RewarderFaultException refused) {
        if (refused.fault() instanceof RewarderFault.BadInput bad) {
          // A fault in these bytes counts only if the bytes match their seal.
          input.verify();
          return Optional.of(
              new Quarantine(Quarantine.Reason.BAD_INPUT, address + ": " + bad.detail()));
        }
        throw refused;
      }
    }
  }

  /** Why reading stops. */
  private static final class Stop extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient Quarantine quarantine;

    Stop(Quarantine quarantine) {
      super(quarantine.detail());
      this.quarantine = quarantine;
    }
  }

  /** Reads lines; answers the addresses if the lines are such. */
  private List<Address> text(
      Address address,
      DecodedInput input,
      ParallelTally reading,
      boolean mayHaveParts,
      List<Address> seals)
      throws IOException, InterruptedException, Stop {
    var blocks = new LineBlocks(input.text());
    byte[] first = reading.buffer();
    int length = blocks.next(first);
    boolean sealed = startsWith(first, length, SealList.TAG);
    if (mayHaveParts && (sealed || startsWith(first, length, Address.PREFIX))) {
      if (blocks.next(new byte[LineBlocks.BLOCK_BYTES]) > 0) {
        throw RewarderFaultException.badInput("a list of more than " + PARTS_MAX + " parts");
      }
      String list = new String(first, 0, length, US_ASCII);
      return sealed ? sealed(list, reading, seals) : addresses(list);
    }
    int from = 0;
    Supplier<LineScanner> scanner = JsonLineScanner::new;
    if (length > 0 && first[0] != '{' && first[0] != ' ') {
      int end = headerEnd(first, length);
      CsvScanner csv =
          CsvScanner.forHeader(first, 0, end)
              .orElseThrow(
                  () ->
                      RewarderFaultException.badInput(
                          "neither Parquet, nor JSON lines, nor CSV with the header"
                              + " actor,metric,units"));
      scanner = csv::copy;
      from = Math.min(end + 1, length);
    }
    boolean more =
        length <= from || reading.offer(new Block(reading, scanner, first, from, length));
    while (more) {
      byte[] next = reading.buffer();
      length = blocks.next(next);
      more = length > 0 && reading.offer(new Block(reading, scanner, next, 0, length));
    }
    Optional<LineFault> fault = reading.end(scanner.get() instanceof CsvScanner ? 1 : 0);
    if (fault.isPresent()) {
      throw new Stop(wrong(address, fault.get()));
    }
    return List.of();
  }

  /** The accountings of seals that were found to be those of one span, all of it and none twice. */
  private List<Address> sealed(String text, ParallelTally reading, List<Address> seals)
      throws IOException, InterruptedException {
    reading.countedByNodes();
    SealList list;
    try {
      list = SealList.parse(text);
    } catch (IOException wrong) {
      throw RewarderFaultException.badInput("a list of seals: " + wrong.getMessage());
    }
    var read = new ArrayList<Seal>();
    for (Address each : list.seals()) {
      byte[] bytes = inputs.document(each);
      try {
        read.add(Seal.parse(bytes));
      } catch (IOException wrong) {
        throw RewarderFaultException.badInput("%s: %s".formatted(each, wrong.getMessage()));
      }
    }
    Optional<String> fault = list.fault(read);
    if (fault.isPresent()) {
      throw RewarderFaultException.badInput(fault.get());
    }
    seals.addAll(list.seals());
    return read.stream().map(Seal::accounting).toList();
  }

  private static Quarantine wrong(Address address, LineFault fault) {
    return new Quarantine(
        Quarantine.Reason.BAD_LINE,
        "%s, line %d: %s".formatted(address, fault.line(), fault.reason()));
  }

  private static boolean startsWith(byte[] bytes, int length, String prefix) {
    return length >= prefix.length()
        && new String(bytes, 0, prefix.length(), US_ASCII).equals(prefix);
  }

  private static int headerEnd(byte[] bytes, int length) {
    int at = 0;
    while (at < length && bytes[at] != '\n') {
      at++;
    }
    return at;
  }

  private static List<Address> addresses(String text) throws RewarderFaultException {
    var addresses = new ArrayList<Address>();
    for (String line : text.lines().toList()) {
      switch (Address.parse(line)) {
        case CheckResult.Good<Address>(Address part) -> addresses.add(part);
        case CheckResult.Bad<Address> _ ->
            throw RewarderFaultException.badInput(
                "line %d is no address".formatted(addresses.size() + 1));
      }
      if (addresses.size() > PARTS_MAX) {
        throw RewarderFaultException.badInput("a list of more than " + PARTS_MAX + " parts");
      }
    }
    return addresses;
  }

  /** Whole lines of text. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Block(
      ParallelTally reading, Supplier<LineScanner> scanner, byte[] bytes, int from, int to)
      implements AccountingPiece {
    @Override
    public @Nullable LineFault count(Tally tally) {
      try {
        return scanner.get().scan(bytes, from, to, tally);
      } finally {
        reading.recycle(bytes);
      }
    }
  }
}
