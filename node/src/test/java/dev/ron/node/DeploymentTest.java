package dev.ron.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ron.testkit.RawClient;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * Files that put a node on a machine, held against a node: no cluster, container engine or init
 * system is needed.
 *
 * <p>Kubernetes' schemas are not here, so field names are not checked against them; what is checked
 * is that the file is YAML, that ports, probes, names and volumes agree with each other and with
 * the configuration, and that a node with this configuration answers the probes.
 */
@Timeout(120)
class DeploymentTest {
  private static final Path ROOT = Path.of(System.getProperty("ron.root", "."));
  private static final Path FOLDER = ROOT.resolve("packaging");

  @TempDir private Path machine;

  @Test
  void aPodHasTheRightsAndVolumesOfANodeAndNoMore() throws Exception {
    Node set = kind("StatefulSet");
    Node pod = set.at("spec", "template", "spec");
    Node container = pod.list("containers").getFirst();
    assertThat(pod.at("securityContext").text("runAsNonRoot")).isEqualTo("true");
    assertThat(pod.at("securityContext", "seccompProfile").text("type"))
        .isEqualTo("RuntimeDefault");
    assertThat(pod.text("automountServiceAccountToken")).isEqualTo("false");
    Node rights = container.at("securityContext");
    assertThat(rights.text("allowPrivilegeEscalation")).isEqualTo("false");
    assertThat(rights.text("readOnlyRootFilesystem")).isEqualTo("true");
    assertThat(rights.at("capabilities").text("drop")).isEqualTo("[ALL]");
    assertThat(container.at("resources", "limits").text("memory")).isNotEmpty();
    // What is mounted exists, and what the command names is mounted.
    List<String> volumes = new ArrayList<>(names(pod.list("volumes")));
    set.at("spec")
        .list("volumeClaimTemplates")
        .forEach(each -> volumes.add(each.at("metadata").text("name")));
    assertThat(names(container.list("volumeMounts"))).containsExactlyInAnyOrderElementsOf(volumes);
    List<String> mounted =
        container.list("volumeMounts").stream().map(each -> each.text("mountPath")).toList();
    assertThat(mounted).contains("/data", "/etc/ron", "/tmp");
    assertThat(container.text("args"))
        .isEqualTo("[up, --data, /data, --config, /etc/ron/ron.toml]");
    // The image runs as the same user, and a drain ends within the grace.
    assertThat(Files.readString(FOLDER.resolve("Containerfile")))
        .contains("--uid " + pod.at("securityContext").text("runAsUser") + " ");
    assertThat(Integer.parseInt(pod.text("terminationGracePeriodSeconds")))
        .isGreaterThan(3 + 2 * 5);
  }

  @Test
  void servicesSelectorsAndTheBudgetMeanThePodsOfTheSet() throws Exception {
    String labels = kind("StatefulSet").at("spec", "template", "metadata").text("labels");
    assertThat(labels).isEqualTo("{app=ron}");
    assertThat(kind("StatefulSet").at("spec", "selector").text("matchLabels")).isEqualTo(labels);
    assertThat(kind("PodDisruptionBudget").at("spec", "selector").text("matchLabels"))
        .isEqualTo(labels);
    assertThat(kind("PodDisruptionBudget").at("spec").text("maxUnavailable")).isEqualTo("1");
    assertThat(kind("NetworkPolicy").at("spec", "podSelector").text("matchLabels"))
        .isEqualTo(labels);
    List<Node> services =
        all().stream().filter(each -> each.text("kind").equals("Service")).toList();
    assertThat(services).hasSize(2);
    assertThat(services).allMatch(each -> each.at("spec").text("selector").equals(labels));
    assertThat(services.stream().map(each -> each.at("metadata").text("name")))
        .contains(kind("StatefulSet").at("spec").text("serviceName"));
    Map<String, String> ports = ports();
    for (Node service : services) {
      for (Node port : service.at("spec").list("ports")) {
        assertThat(ports).containsEntry(port.text("targetPort"), port.text("port"));
      }
    }
  }

  @Test
  void portsAreThoseOfTheConfigurationAndANodeAnswersTheProbes() throws Exception {
    Path config = machine.resolve("ron.toml");
    Files.writeString(config, kind("ConfigMap").at("data").text("ron.toml"));
    NodeSettings settings = NodeSettings.load(Map.of(), Map.of(), Optional.of(config));
    Map<String, String> binds =
        settings.catalogue().entries().stream()
            .filter(entry -> entry.path().endsWith(".bind") && !entry.path().contains("cluster"))
            .collect(
                Collectors.toMap(
                    entry -> entry.path().replaceAll("^.*?([a-z0-9]+)\\.bind$", "$1"),
                    entry -> String.valueOf(entry.plain())));
    ports().forEach((name, port) -> assertThat(binds).containsEntry(name, "0.0.0.0:" + port));
    assertThat(ports()).hasSize(binds.size());
    var anyPort = new HashMap<String, String>();
    ports().keySet().forEach(name -> anyPort.put(section(name) + ".bind", "0.0.0.0:0"));
    anyPort.put("node.log", "json");
    try (RunningNode node = RunningNode.start(machine.resolve("data"), anyPort, config)) {
      Node container =
          kind("StatefulSet").at("spec", "template", "spec").list("containers").getFirst();
      int port = URI.create(node.admin()).getPort();
      for (String probe : List.of("startupProbe", "readinessProbe", "livenessProbe")) {
        Node get = container.at(probe, "httpGet");
        assertThat(get.text("port")).isEqualTo("admin");
        // As the kubelet asks: by the pod's address, which the node was never told.
        try (var client = new RawClient(port)) {
          client.send(
              RawClient.http(
                  "GET " + get.text("path") + " HTTP/1.1",
                  "Host: 10.42.0.7:8090",
                  "Connection: close",
                  "",
                  ""));
          assertThat(client.answer()).as(probe).startsWith("HTTP/1.1 200 ");
        }
      }
    }
  }

  private static String section(String door) {
    return switch (door) {
      case "s3" -> "storage.s3";
      case "sqs" -> "mailbox.sqs";
      default -> door;
    };
  }

  private static final Pattern INSTRUCTION =
      Pattern.compile("(FROM|WORKDIR|COPY|RUN|USER|VOLUME|EXPOSE|STOPSIGNAL|ENTRYPOINT|CMD) (.+)");

  /**
   * Every step runs here in a folder that stands for the image, with a build that makes empty jars.
   */
  @Test
  void theStepsOfTheContainerFileRunAndMakeWhatItStarts() throws Exception {
    List<String> lines =
        Files.readAllLines(FOLDER.resolve("Containerfile")).stream()
            .filter(line -> !line.isBlank() && !line.startsWith("#"))
            .toList();
    assertThat(lines).allMatch(line -> INSTRUCTION.matcher(line).matches());
    assertThat(lines).contains("USER ron", "STOPSIGNAL SIGTERM", "EXPOSE 8080-8086");
    Path source = checkout();
    Path image = Files.createDirectories(machine.resolve("image/opt")).getParent();
    for (String line : lines) {
      if (line.startsWith("RUN ")) {
        // Accounts are the machine's, not the test's.
        String step =
            line.substring(4).replaceAll("useradd [^&]*&& ", "").replace("-o ron -g ron ", "");
        shell(source, step.replaceAll("(?<![\\w.])/(opt|data)", image + "/$1"));
      }
    }
    assertThat(image.resolve("opt/ron/ron")).isExecutable();
    assertThat(image.resolve("opt/ron/conf/container.toml")).isRegularFile();
    assertThat(image.resolve("data")).isDirectory();
    assertThat(lines)
        .contains(
            "ENTRYPOINT [\"/opt/ron/ron\"]",
            "CMD [\"up\", \"--data\", \"/data\", \"--config\", \"/opt/ron/conf/container.toml\"]");
    assertThat(shell(source, image + "/opt/ron/ron up --data /data"))
        .contains("dev.ron.node.Ron up --data /data");
  }

  /** Both engines read this file; what it leaves out is never sent to the build stage. */
  @Test
  void theBuildOfTheImageGetsTheSourcesAndNoKeysDataOrResults() throws Exception {
    List<String> rules =
        Files.readAllLines(ROOT.resolve(".dockerignore")).stream()
            .filter(line -> !line.isBlank() && !line.startsWith("#"))
            .toList();
    for (String secret :
        List.of(
            "data/keys/keyring",
            "data/keys/admin.cap",
            "mydata/keys/keyring",
            "node/data/keys/admin.cap",
            ".git/config",
            "target/a.jar",
            "node/target/dist/lib/a.jar",
            "lib/http/target/classes/A.class",
            "ron.toml",
            "services/edge/.cifuzz-corpus/a")) {
      assertThat(isSent(rules, secret)).as(secret).isFalse();
    }
    List<String> sources =
        new ArrayList<>(
            List.of(
                "ron",
                "mvnw",
                "pom.xml",
                "LICENSE",
                "README.md",
                ".mvn/wrapper/maven-wrapper.properties",
                "docs/README.md",
                "packaging/container.toml",
                "node/src/main/java/dev/ron/node/Ron.java"));
    Pattern.compile("<module>(.+?)</module>")
        .matcher(Files.readString(ROOT.resolve("pom.xml")))
        .results()
        .forEach(module -> sources.add(module.group(1) + "/pom.xml"));
    assertThat(sources).hasSizeGreaterThan(30);
    for (String source : sources) {
      assertThat(ROOT.resolve(source)).exists();
      assertThat(isSent(rules, source)).as(source).isTrue();
    }
  }

  /** The last rule that names a file, or a folder of it, decides. */
  private static boolean isSent(List<String> rules, String file) {
    boolean sent = true;
    for (String rule : rules) {
      boolean back = rule.startsWith("!");
      String pattern =
          Arrays.stream((back ? rule.substring(1) : rule).split("/", -1))
              .map(step -> step.equals("**") ? "(.*/)?" : steps(step) + "/")
              .collect(Collectors.joining());
      if ((file + "/").matches(pattern + ".*")) {
        sent = back;
      }
    }
    return sent;
  }

  private static String steps(String step) {
    return step.replace(".", "\\.").replace("*", "[^/]*");
  }

  /**
   * A copy of what the build takes from the tree, with a build and a JDK that only say what they
   * do.
   */
  private Path checkout() throws Exception {
    Path source = Files.createDirectory(machine.resolve("src"));
    for (String file : List.of("ron", "LICENSE", "README.md", "SECURITY.md")) {
      Files.copy(ROOT.resolve(file), source.resolve(file));
    }
    Files.createDirectory(source.resolve("docs"));
    Path packaging = Files.createDirectory(source.resolve("packaging"));
    try (var files = Files.list(FOLDER)) {
      for (Path file : files.toList()) {
        Files.copy(file, packaging.resolve(file.getFileName()));
      }
    }
    script(
        source.resolve("mvnw"),
        """
        while [ "$1" != -pl ]; do shift; done
        cd "${0%/*}" && mkdir -p "$2/target/dist/lib" && touch "$2/target/dist/lib/$2.jar"
        """);
    Path bin = Files.createDirectories(machine.resolve("jdk/bin"));
    script(bin.resolve("javac"), "echo javac 25\n");
    script(bin.resolve("java"), "echo java \"$@\"\n");
    return source;
  }

  private static void script(Path file, String lines) throws Exception {
    Files.writeString(file, "#!/bin/sh\n" + lines);
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private String shell(Path folder, String step) throws Exception {
    var builder = new ProcessBuilder("/bin/sh", "-ec", step).directory(folder.toFile());
    builder.environment().put("JAVA_HOME", machine.resolve("jdk").toString());
    Process process = builder.redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as("%s: %s", step, said).isZero();
    return said;
  }

  /** The scale is systemd's own: below 2 means that little is left that a service could give up. */
  @Test
  void systemdFindsLittleThatTheUnitCouldStillGiveUp() throws Exception {
    assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/systemd-analyze")),
        "NOT RUN: systemd-analyze is not installed, so the unit's exposure was not measured");
    Process process =
        new ProcessBuilder(
                "systemd-analyze",
                "security",
                "--offline=yes",
                "--no-pager",
                FOLDER.resolve("ron.service").toAbsolutePath().toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assumeTrue(
        process.waitFor() == 0 && said.contains("Overall exposure level"),
        "NOT RUN: this systemd-analyze does not read a unit's security from a file");
    var level = Pattern.compile("exposure level for ron.service: ([0-9.]+)").matcher(said);
    assertThat(level.find()).as(said).isTrue();
    assertThat(Double.parseDouble(level.group(1))).as(said).isLessThan(2);
  }

  private static Map<String, String> ports() throws Exception {
    return kind("StatefulSet")
        .at("spec", "template", "spec")
        .list("containers")
        .getFirst()
        .list("ports")
        .stream()
        .collect(Collectors.toMap(each -> each.text("name"), each -> each.text("containerPort")));
  }

  private static List<String> names(List<Node> nodes) {
    return nodes.stream().map(each -> each.text("name")).toList();
  }

  private static Node kind(String kind) throws Exception {
    return all().stream().filter(each -> each.text("kind").equals(kind)).findFirst().orElseThrow();
  }

  private static List<Node> all() throws Exception {
    var yaml = new Yaml(new SafeConstructor(new LoaderOptions()));
    var documents = new ArrayList<Node>();
    yaml.loadAll(Files.readString(FOLDER.resolve("kubernetes.yaml")))
        .forEach(each -> documents.add(new Node(each)));
    return documents;
  }

  /** A part of a document; asking for what is not there fails. */
  private record Node(Object value) {
    Node at(String... path) {
      Object at = value;
      for (String name : path) {
        assertThat(at).as(name).isInstanceOf(Map.class);
        at = ((Map<?, ?>) at).get(name);
        assertThat(at).as(name).isNotNull();
      }
      return new Node(at);
    }

    String text(String name) {
      return String.valueOf(at(name).value());
    }

    List<Node> list(String name) {
      return ((List<?>) at(name).value()).stream().map(Node::new).toList();
    }
  }
}
