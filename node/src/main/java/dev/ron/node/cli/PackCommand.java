package dev.ron.node.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.blake3.Address;
import dev.ron.blake3.CheckResult;
import dev.ron.client.ServiceClient;
import dev.ron.http.Headers;
import dev.ron.http.json.Json;
import dev.ron.http.json.JsonFault;
import dev.ron.http.json.JsonRead;
import dev.ron.node.profile.Terminal;
import dev.ron.node.profile.TextTable;
import dev.ron.tilepack.DirectoryCache;
import dev.ron.tilepack.Pack;
import dev.ron.tilepack.PackCheck;
import dev.ron.tilepack.PackFault;
import dev.ron.tilepack.PackHeader;
import dev.ron.tilepack.Packs;
import dev.ron.tilepack.sample.SamplePack;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Map packs, looked at and brought to a running edge.
 *
 * <p>Threading: owned by the thread that runs the command.
 */
@Command(
    name = "pack",
    description = "Verify, mount and list map packs, or write the sample.",
    subcommands = {
      PackCommand.Verify.class,
      PackCommand.Mount.class,
      PackCommand.Listing.class,
      PackCommand.MakeSample.class
    })
public final class PackCommand {
  private static final long DIRECTORY_BYTES = 16 << 20;
  private static final int TEXT_MAX = 100;
  private static final Json JSON = Json.tolerant();
  private static final List<String> SERVED_HEAD = List.of("PACK", "TILES", "ZOOM", "SIZE", "MAP");

  /** Reads a pack from end to end. */
  @Command(name = "verify", description = "Read a pack from end to end and say what is wrong.")
  static final class Verify implements Callable<Integer> {
    @Parameters(paramLabel = "FILE")
    private Path file = Path.of("");

    @Option(names = "--address", defaultValue = "", description = "The address it must have.")
    private String expected = "";

    @Option(names = "--json", description = "As JSON.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
      VerifiedPack pack = verified(file, expected);
      System.out.println(json ? CommandClient.json(pack) : pack.words());
      return 0;
    }
  }

  /** Verifies, then puts the pack where the edge watches. */
  @Command(name = "mount", description = "Verify a pack and put it where the edge watches.")
  static final class Mount implements Callable<Integer> {
    @Parameters(paramLabel = "FILE")
    private Path file = Path.of("");

    @Option(
        names = "--folder",
        defaultValue = "./packs",
        description = "A folder of edge.packs; ${DEFAULT-VALUE} if not given.")
    private Path folder = Path.of("./packs");

    @Option(names = "--name", defaultValue = "", description = "Served as this; the file's if not.")
    private String name = "";

    @Override
    public Integer call() throws IOException {
      VerifiedPack pack = verified(file, "");
      System.out.println(pack.words());
      String own = String.valueOf(file.getFileName()).replaceFirst("\\.[^.]*$", "");
      String ending = "." + pack.format();
      Files.createDirectories(folder);
      Path target = folder.resolve((name.isEmpty() ? own : name) + ending);
      // Whole under another name first, so that the edge never reads half a pack.
      Path coming = folder.resolve("." + target.getFileName());
      Files.copy(file, coming, StandardCopyOption.REPLACE_EXISTING);
      try (FileChannel written = FileChannel.open(coming, StandardOpenOption.WRITE)) {
        written.force(true);
      }
      Files.move(coming, target, StandardCopyOption.ATOMIC_MOVE);
      System.out.println("mounted  " + target);
      return 0;
    }
  }

  /** Asks a running edge. */
  @Command(name = "list", description = "What a running edge serves and what it refused.")
  static final class Listing implements Callable<Integer> {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @Option(
        names = "--url",
        defaultValue = "${env:RON_URL_EDGE:-http://127.0.0.1:8081}",
        description = "The edge; ${DEFAULT-VALUE} if not given.")
    private String url = "";

    @Option(
        names = "--cap",
        defaultValue = "${env:RON_CAP:-}",
        description = "The capability to show; the variable RON_CAP if not given.")
    private String capability = "";

    @Option(names = "--json", description = "The edge's own JSON, as in a pipe.")
    private boolean json;

    @Override
    public Integer call() throws IOException, InterruptedException {
      boolean people = !json && Terminal.out();
      try (ServiceClient edge = CommandClient.to("edge", url, capability)) {
        return CommandClient.print(
            json,
            () -> {
              byte[] answer = edge.bytes("GET", "/edge/packs", new Headers(1), new byte[0], LIMIT);
              return people
                  ? table(answer, TextTable.coloured(System.getenv()))
                  : new String(answer, UTF_8);
            });
      }
    }
  }

  /** As {@code GET /edge/packs} answers; bounds and what else is there is passed over. */
  record Listed(@Nullable List<Served> packs, @Nullable List<Left> refused) {}

  /** A pack that is served. */
  record Served(String pack, String tiles, int zoomMin, int zoomMax, long bytes, String map) {}

  /** A file that is not. */
  record Left(String file, String detail) {}

  /** The edge's answer as rows: what it serves, then what it refused and why. */
  static String table(byte[] answer, boolean coloured) {
    return switch (JSON.read(answer, Listed.class)) {
      case JsonRead.Value<Listed>(Listed said) -> table(said, coloured);
      // Another version's answer; shown as it came rather than not at all.
      case JsonRead.Bad<Listed>(JsonFault _) -> new String(answer, UTF_8);
    };
  }

  private static String table(Listed said, boolean coloured) {
    List<List<String>> served =
        Objects.requireNonNullElse(said.packs(), List.<Served>of()).stream()
            .map(
                pack ->
                    List.of(
                        pack.pack(),
                        pack.tiles(),
                        pack.zoomMin() + "-" + pack.zoomMax(),
                        ProgressBar.size(pack.bytes()),
                        pack.map()))
            .toList();
    String table = served.isEmpty() ? "no packs" : TextTable.of(SERVED_HEAD, served, coloured);
    List<List<String>> refused =
        Objects.requireNonNullElse(said.refused(), List.<Left>of()).stream()
            .map(left -> List.of(left.file(), text(left.detail())))
            .toList();
    return refused.isEmpty()
        ? table
        : table + "\n\n" + TextTable.of(List.of("REFUSED", "WHY"), refused, coloured);
  }

  private static String text(String detail) {
    return TextTable.payload(detail.getBytes(UTF_8), TEXT_MAX);
  }

  /** For a look at a pack, or for a tool that wants one. */
  @Command(name = "make-sample", description = "Write the invented sample map to a file.")
  static final class MakeSample implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", defaultValue = "sample.pmtiles", arity = "0..1")
    private Path file = Path.of("sample.pmtiles");

    @Override
    public Integer call() throws IOException {
      Files.write(file, SamplePack.bytes());
      System.out.println(verified(file, "").words());
      return 0;
    }
  }

  /** What a pack is whose bytes are as its address says. */
  record VerifiedPack(
      String address,
      String format,
      String tiles,
      String coding,
      int zoomMin,
      int zoomMax,
      long bytes) {
    String words() {
      return "address  %s%nformat   %s, %s tiles, %s%nzooms    %d to %d%nbytes    %d"
          .formatted(address, format, tiles, coding, zoomMin, zoomMax, bytes);
    }
  }

  /** Throws with the reason if it is none. */
  private static VerifiedPack verified(Path file, String expected) throws IOException {
    switch (Packs.open(file, new DirectoryCache(DIRECTORY_BYTES))) {
      case Packs.Opening.Refused(PackFault fault) -> throw new IOException(words(file, fault));
      case Packs.Opening.Opened(Pack pack) -> {
        try (pack) {
          Address address = address(file, pack, expected);
          PackHeader header = pack.header();
          return new VerifiedPack(
              address.toString(),
              header.format().name().toLowerCase(Locale.ROOT),
              header.tileType().extension(),
              header.tileCompression().coding(),
              header.zoomMin(),
              header.zoomMax(),
              pack.bytes().size());
        }
      }
    }
  }

  private static Address address(Path file, Pack pack, String expected) throws IOException {
    PackCheck.Progress progress =
        expected.isEmpty() ? pack.check().run() : pack.check().run(parsed(expected));
    return switch (progress) {
      case PackCheck.Progress.Good(Address address) -> address;
      case PackCheck.Progress.Refused(PackFault fault) -> throw new IOException(words(file, fault));
      case PackCheck.Progress.Going _ -> throw new IllegalStateException("not at the end");
    };
  }

  private static Address parsed(String text) {
    return switch (Address.parse(text)) {
      case CheckResult.Good<Address>(Address address) -> address;
      case CheckResult.Bad<Address>(var fault) ->
          throw new IllegalArgumentException("--address = " + text + ": " + fault.code());
    };
  }

  private static String words(Path file, PackFault fault) {
    return "%s: %s: %s".formatted(file.getFileName(), fault.code(), fault.detail());
  }
}
