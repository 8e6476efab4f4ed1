package dev.ron.node;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.testkit.ChildJvm;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A node that {@code ./ron up} has started from an unpacked archive, in a process of its own, with
 * what a distribution holds on its class path and nothing of the tests.
 *
 * <p>Threading: immutable; the process is the test's.
 *
 * @param told what its ready file says
 */
record LaunchedNode(ChildJvm process, JsonNode told) implements AutoCloseable {
  private static final Path ROOT = Path.of(System.getProperty("ron.root", "."));
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /**
   * @param folder where archive and data are put
   * @param settings as {@code key=value}
   */
  static LaunchedNode up(Path folder, String... settings) throws Exception {
    Path ready = folder.resolve("ready");
    Path log = folder.resolve("log");
    var command = new ArrayList<>(List.of("sh", "-c", "exec \"$@\" 2>" + log, "sh"));
    command.addAll(List.of("sh", archive(folder).toString(), "up"));
    command.addAll(List.of("--base-port", "0", "--data", folder.resolve("data").toString()));
    command.addAll(List.of("--ready-file", ready.toString()));
    for (String each : settings) {
      command.addAll(List.of("--set", each));
    }
    ChildJvm process = ChildJvm.start(command);
    long limit = System.nanoTime() + LIMIT.toNanos();
    while (!Files.exists(ready)) {
      if (System.nanoTime() > limit || ProcessHandle.of(process.pid()).isEmpty()) {
        process.close();
        throw new AssertionError("the node is not ready: " + Files.readString(log));
      }
      LockSupport.parkNanos(2_000_000);
    }
    return new LaunchedNode(process, JsonMapper.shared().readTree(Files.readString(ready)));
  }

  /** What the launcher takes for an unpacked archive: its jars, here one that names the others. */
  private static Path archive(Path folder) throws IOException {
    Files.createDirectories(folder.resolve("conf"));
    Files.createFile(folder.resolve("conf/micronode.toml"));
    String built = Files.readString(Path.of("target/runtime-classpath.txt"), UTF_8).strip();
    var manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest
        .getMainAttributes()
        .put(
            Attributes.Name.CLASS_PATH,
            Stream.concat(
                    Stream.of("target/classes"), Stream.of(built.split(File.pathSeparator, -1)))
                .map(each -> Path.of(each).toUri().toString())
                .collect(Collectors.joining(" ")));
    Path jars = Files.createDirectories(folder.resolve("lib"));
    try (OutputStream file = Files.newOutputStream(jars.resolve("node.jar"))) {
      new JarOutputStream(file, manifest).close();
    }
    return Files.copy(ROOT.resolve("ron"), folder.resolve("ron"));
  }

  URI url(String service) {
    return URI.create(told.at("/services/" + service + "/url").stringValue());
  }

  String capability() {
    return told.get("capability").stringValue();
  }

  @Override
  public void close() {
    process.close();
  }
}
