package dev.ron.tidy;

import static dev.ron.tidy.Planted.java;
import static dev.ron.tidy.Planted.packageInfo;
import static dev.ron.tidy.Planted.pom;
import static dev.ron.tidy.Planted.service;
import static dev.ron.tidy.Planted.tree;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Trees whose parts do not fit together, and their good twins. */
final class PlantedTrees {
  private static final SourceFile KERNEL = pom("kernel", "io.prometheus:core");
  private static final SourceFile HTTP = pom("lib/http", "dev.ron:kernel", "io.netty:codec");
  private static final SourceFile EDGE = pom("services/edge", "dev.ron:http", "dev.ron:kernel");
  private static final SourceFile BENCH = pom("bench", "dev.ron:edge", "dev.ron:http");
  private static final SourceFile NODE = pom("node", "dev.ron:edge");
  private static final SourceFile TESTKIT = pom("testing/testkit", "dev.ron:kernel");

  private PlantedTrees() {}

  static List<Planted> all() {
    return Stream.of(skeletons(), rooms(), layers(), links(), prose(), PlantedSeeds.all())
        .flatMap(List::stream)
        .toList();
  }

  private static List<Planted> skeletons() {
    return List.of(
        tree("no service at all", ""),
        tree("a whole service", "", with(service("edge"))),
        tree(
            "a service of one file",
            "skeleton EdgeConfig.java:1, skeleton EdgeFault.java:1, skeleton EdgeMetrics.java:1,"
                + " skeleton EdgeService.java:1",
            packageInfo("services/edge", "dev.ron.edge")),
        tree(
            "a service without faults",
            "skeleton EdgeFault.java:1",
            without("EdgeFault.java", service("edge"))),
        tree(
            "a service without package-info",
            "package-info EdgeConfig.java:1, skeleton package-info.java:1",
            without("package-info.java", service("edge"))),
        tree(
            "packages by subject",
            "",
            with(
                service("edge"),
                Stream.of("api", "core", "core.more", "fill", "cache")
                    .map(p -> packageInfo("services/edge", "dev.ron.edge." + p))
                    .toArray(SourceFile[]::new))),
        tree(
            "a drawer",
            "skeleton package-info.java:1",
            with(service("edge"), packageInfo("services/edge", "dev.ron.edge.task"))),
        tree(
            "a drawer in a room",
            "skeleton package-info.java:1",
            with(service("edge"), packageInfo("services/edge", "dev.ron.edge.fill.wire"))),
        tree("a service on several machines", "", with(service("edge"), several())),
        tree(
            "a service on several machines without settings",
            "skeleton EdgeClusterConfig.java:1",
            with(service("edge"), without("EdgeClusterConfig.java", List.of(several())))),
        tree(
            "a core that imports sockets",
            "core-purity A.java:4",
            with(
                service("edge"),
                packageInfo("services/edge", "dev.ron.edge.core"),
                java(
                    "services/edge",
                    "dev.ron.edge.core",
                    "A",
                    "/* java.io */\nimport java.net.Socket;\n/** A. */\ninterface A {}\n"))));
  }

  private static SourceFile[] several() {
    return beside("services/edge-cluster", "dev.ron.edge.cluster", "EdgeCluster");
  }

  private static SourceFile[] severalOfS3() {
    return beside("services/edge-s3-cluster", "dev.ron.edge.s3.cluster", "EdgeS3Cluster");
  }

  private static SourceFile[] beside(String module, String home, String noun) {
    return new SourceFile[] {
      packageInfo(module, home),
      java(module, home, noun + "Service", "/** A. */\ninterface " + noun + "Service {}\n"),
      java(module, home, noun + "Config", "/** A. */\ninterface " + noun + "Config {}\n"),
      packageInfo(module, home + ".replica"),
    };
  }

  private static List<Planted> rooms() {
    SourceFile map = packageInfo("lib/a", "dev.ron.a");
    SourceFile glossary = SourceFile.of("docs/glossary.md", WORDS_SAID);
    return List.of(
        tree("a full room", "", with(types(Rooms.TYPES_MAX), mapOf(Rooms.TYPES_MAX))),
        tree(
            "one type too many",
            "room T0.java:1",
            with(types(Rooms.TYPES_MAX + 1), mapOf(Rooms.TYPES_MAX + 1))),
        tree(
            "a type that is on no map",
            "map Lost.java:1",
            map,
            java("lib/a", "dev.ron.a", "Lost", "/** A. */\ninterface Lost {}\n")),
        tree(
            "a name in two rooms",
            "name-twice A.java:1",
            map,
            packageInfo("lib/b", "dev.ron.b"),
            java("lib/a", "dev.ron.a", "A", "/** A. */\ninterface A {}\n"),
            java("lib/b", "dev.ron.b", "A", "/** A. */\ninterface A {}\n")),
        tree(
            "a word that no type, no test and no page has",
            Stream.generate(() -> "spec-word glossary.md:1")
                .limit(3L * SpecWords.PROJECT.words().size())
                .collect(Collectors.joining(", ")),
            SourceFile.of("docs/glossary.md", "# Glossary\n")),
        tree(
            "words that only the pages have",
            Stream.generate(() -> "spec-word glossary.md:1")
                .limit(2L * SpecWords.PROJECT.words().size())
                .collect(Collectors.joining(", ")),
            glossary));
  }

  private static final String WORDS_SAID =
      SpecWords.PROJECT.words().stream()
          .map(w -> w.replaceAll("(?<=[a-z])(?=[A-Z])", " "))
          .collect(Collectors.joining("\n"));

  private static List<SourceFile> types(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> java("lib/a", "dev.ron.a", "T" + i, "/** T. */\ninterface T" + i + " {}\n"))
        .toList();
  }

  private static SourceFile mapOf(int count) {
    String nouns =
        IntStream.range(0, count).mapToObj(i -> "T" + i).collect(Collectors.joining(", "));
    return SourceFile.of(
        "lib/a/src/main/java/dev/ron/a/package-info.java",
        "/** Words: " + nouns + ". */\n@org.jspecify.annotations.NullMarked\npackage dev.ron.a;\n");
  }

  private static List<Planted> layers() {
    SourceFile gateway = pom("services/gateway", "dev.ron:kernel", "dev.ron:testkit:test");
    var whole = List.of(KERNEL, HTTP, BENCH, NODE, TESTKIT, gateway);
    var services = with(service("gateway"), with(service("edge")));
    return List.of(
        tree("one way", "", with(plus(whole, EDGE), services)),
        tree(
            "services that know each other",
            "layering pom.xml:4, layering pom.xml:5",
            with(
                plus(whole, pom("services/edge", "dev.ron:gateway", "dev.ron:gateway:test")),
                services)),
        tree(
            "one service on several machines",
            "",
            with(
                plus(plus(whole, EDGE), pom("services/edge-cluster", "dev.ron:edge")),
                with(List.of(several()), services))),
        tree(
            "one service by another protocol on several machines",
            "",
            with(
                plus(
                    plus(plus(whole, EDGE), pom("services/edge-cluster", "dev.ron:edge")),
                    pom("services/edge-s3-cluster", "dev.ron:edge", "dev.ron:edge-cluster")),
                with(List.of(with(List.of(several()), severalOfS3())), services))),
        tree(
            "a service by another protocol on several machines that knows another",
            "layering pom.xml:4",
            with(
                plus(plus(whole, EDGE), pom("services/edge-s3-cluster", "dev.ron:gateway")),
                with(List.of(severalOfS3()), services))),
        tree(
            "a service that knows another on several machines",
            "layering pom.xml:4",
            with(
                plus(plus(whole, EDGE), pom("services/edge-cluster", "dev.ron:gateway")),
                with(List.of(several()), services))),
        tree(
            "a service that knows itself on several machines",
            "layering pom.xml:4",
            with(
                plus(
                    plus(whole, pom("services/edge-cluster")),
                    pom("services/edge", "dev.ron:edge-cluster")),
                with(List.of(several()), services))),
        tree("kernel uses lib", "layering pom.xml:4", pom("kernel", "dev.ron:http"), HTTP),
        tree(
            "kernel uses guava", "layering pom.xml:5", pom("kernel", "io.prometheus:a", "com.g:b")),
        tree("kernel tests with anything", "", pom("kernel", "org.lincheck:a:test")),
        tree("lib uses lib", "", KERNEL, HTTP, pom("lib/content", "dev.ron:http")),
        tree(
            "lib uses node",
            "layering pom.xml:4",
            KERNEL,
            pom("node"),
            pom("lib/a", "dev.ron:node")),
        tree("node uses bench", "layering pom.xml:4", pom("bench"), pom("node", "dev.ron:bench")),
        tree("lib uses bench", "layering pom.xml:4", pom("bench"), pom("lib/a", "dev.ron:bench")),
        tree(
            "lib ships a testkit",
            "layering pom.xml:4",
            KERNEL,
            TESTKIT,
            pom("lib/a", "dev.ron:testkit")),
        tree(
            "node ships a testkit",
            "layering pom.xml:4",
            KERNEL,
            TESTKIT,
            pom("node", "dev.ron:testkit")),
        tree("lib tests with a testkit", "", KERNEL, TESTKIT, pom("lib/a", "dev.ron:testkit:test")),
        tree(
            "checks use the kernel", "layering pom.xml:4", KERNEL, pom("checks", "dev.ron:kernel")),
        tree("an artifact of ours that is not", "layering pom.xml:4", pom("lib/a", "dev.ron:b")),
        tree("a module of no layer", "layering pom.xml:1", pom("misc/a")),
        tree(
            "an artifact with another name",
            "layering pom.xml:1",
            SourceFile.of("lib/a/pom.xml", "<project><artifactId>b</artifactId></project>")),
        tree(
            "a package with another name",
            "layering package-info.java:1",
            packageInfo("lib/a", "dev.ron.ab")));
  }

  private static List<Planted> links() {
    SourceFile b = SourceFile.of("docs/b.md", "# B");
    return List.of(
        tree("links that lead", "", b, page("[b](b.md) [b](./b.md#b) [r](../docs) [a](#a)")),
        tree("links that lead far", "", page("[x](https://ron.example/x.md) [m](mailto:a@b)")),
        tree("a dead link", "link a.md:2", page("\n[c](c.md)")),
        tree("a dead link with a title", "link a.md:1", b, page("[c](c.md \"see\") [b](b.md)")),
        tree("a dead image", "link a.md:1", page("![c](img/c.png)")),
        tree("a dead label", "link a.md:3", page("[c][1]\n\n[1]: c.md")),
        tree("a dead link upwards", "link a.md:1", b, page("[b](../b.md)")),
        tree("links in code", "", page("`[c](c.md)`\n```\n[d](d.md)\n```\n")),
        tree("a dead link after code", "link a.md:4", page("```\n[d](d.md)\n```\n[c](c.md)")),
        tree("brackets that are no link", "", page("[x] (y) a[1](call)".replace("](", "] ("))));
  }

  private static List<Planted> prose() {
    String wide = "wide ".repeat(22) + "!";
    SourceFile b = SourceFile.of("docs/b.md", "# B");
    return List.of(
        tree("prose that fits", "", page(wide.substring(1))),
        tree("prose that is too wide", "prose-width a.md:3", page("# A\n\n" + wide)),
        tree("a wide point of a list", "prose-width a.md:1", page("- " + wide)),
        tree(
            "a heading, a table and code", "", page("# " + wide + "\n| " + wide + "\n    " + wide)),
        tree("one span of code", "", page("- `" + wide + "`,")),
        tree("code between fences", "", page("```\n" + wide + "\n```\n")),
        tree("prose behind code", "prose-width a.md:4", page("```\nx\n```\n" + wide)),
        tree("a link that leads far", "", b, page("[b](b.md#" + "b".repeat(110) + ")")));
  }

  private static SourceFile page(String text) {
    return SourceFile.of("docs/a.md", text);
  }

  private static List<SourceFile> plus(List<SourceFile> files, SourceFile more) {
    return Stream.concat(files.stream(), Stream.of(more)).toList();
  }

  private static SourceFile[] with(List<SourceFile> files, SourceFile... more) {
    var all = new ArrayList<>(files);
    all.addAll(List.of(more));
    return all.toArray(SourceFile[]::new);
  }

  private static SourceFile[] without(String fileName, List<SourceFile> files) {
    return files.stream().filter(f -> !f.fileName().equals(fileName)).toArray(SourceFile[]::new);
  }
}
