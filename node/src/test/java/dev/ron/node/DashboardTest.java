package dev.ron.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ron.testkit.Browser;
import dev.ron.testkit.ChildJvm;
import dev.ron.testkit.FreePorts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The dashboard in a real browser, with no other host reachable; pictures are left in target. */
@Timeout(300)
class DashboardTest {
  private static final Path PICTURES = Path.of("target/screenshots");

  private static final List<String> VIEWS =
      List.of(
          "overview",
          "graph",
          "queues",
          "buckets",
          "objects",
          "maps",
          "epochs",
          "tenants",
          "cluster",
          "logs",
          "settings");

  @TempDir private Path data;

  @Test
  void everyViewWorksByClickingAndAsksNobodyElse() throws Exception {
    Optional<Path> program = Browser.installed();
    assumeTrue(
        program.isPresent(), "NOT RUN: no Chromium is installed, so the dashboard was not tried");
    Path ready = data.resolve("ready.json");
    try (ChildJvm node = up(ready);
        Browser browser =
            Browser.start(
                program.get(), Files.createDirectory(data.resolve("browser")), 1280, 900)) {
      String told = awaitFile(node, ready);
      String admin = field(told, "admin");
      browser.open(admin + "/#cap=" + field(told, "capability"));
      overviewShowsEveryServiceReady(browser);
      graphShowsTreesAndChannels(browser);
      aMessageDiesAndIsSentAgain(browser);
      aQueueIsMadeFilledSeenAndPurged(browser);
      aBucketKeepsVersionsOfWhatIsDropped(browser);
      anObjectIsUploadedAndVerified(browser);
      theMapDraws(browser);
      anEpochIsExplained(browser);
      anInvoiceLineLeadsToItsSeals(browser);
      logsAreFiltered(browser);
      settingsSayWhereTheyComeFrom(browser);
      overviewTellsLatenciesOfWhatWasAsked(browser);
      theReadmeHasItsPictures();
      onAPhoneNothingIsCutOff(browser);
      theKeyboardReachesEveryView(browser);
      aLinkDoesNotReplaceTheCapability(browser);
      assertThat(browser.evaluate("location.href").asString()).doesNotContain("cap=");
      assertThat(browser.complaints()).isEmpty();
      // What a page carries within itself is not requested.
      assertThat(browser.requests())
          .filteredOn(url -> !url.startsWith("data:") && !url.startsWith("blob:" + admin + "/"))
          .isNotEmpty()
          .allMatch(url -> url.startsWith(admin + "/"));
    }
  }

  private static void aLinkDoesNotReplaceTheCapability(Browser browser) throws Exception {
    String held = "sessionStorage.getItem('ron.capability')";
    String before = browser.evaluate(held).asString();
    browser.evaluate("location.hash = '#cap=another'");
    browser.await("!location.href.includes('cap=')");
    assertThat(browser.evaluate(held).asString()).isEqualTo(before);
  }

  /** Wide things may scroll within themselves; the page as a whole must not. */
  private static void onAPhoneNothingIsCutOff(Browser browser) throws Exception {
    for (boolean dark : new boolean[] {false, true}) {
      browser.beAPhone(390, 844, dark);
      for (String view : VIEWS) {
        browser.click("nav a[href='#/" + view + "']");
        browser.await("document.querySelector('main').children.length > 0");
        assertThat(browser.evaluate("document.documentElement.scrollWidth").asInt())
            .as(view + " is as wide as the phone")
            .isLessThanOrEqualTo(390);
        assertThat(
                browser
                    .evaluate(
                        "document.querySelector('nav"
                            + " a[aria-current]').getBoundingClientRect().right")
                    .asInt())
            .as(view + " is seen to be the one that is shown")
            .isLessThanOrEqualTo(390);
        browser.screenshot(
            PICTURES.resolve("phone-%s-%s.png".formatted(view, dark ? "dark" : "light")));
      }
    }
  }

  /** Every link of the navigation takes the focus, shows it, and is followed by its key. */
  private static void theKeyboardReachesEveryView(Browser browser) throws Exception {
    for (String view : VIEWS) {
      browser.evaluate("document.querySelector(\"nav a[href='#/" + view + "']\").focus()");
      assertThat(browser.evaluate("document.activeElement.getAttribute('href')").asString())
          .isEqualTo("#/" + view);
      browser.pressEnter();
      browser.await("location.hash === '#/" + view + "'");
    }
  }

  private static void overviewShowsEveryServiceReady(Browser browser) throws Exception {
    for (ServiceKind<?> service : Services.all()) {
      browser.await(
          "document.querySelector('[data-service=%s] .tag.good')?.textContent === 'ready'"
              .formatted(service.name()));
    }
    browser.await("document.getElementById('pulse').textContent === 'all ready'");
  }

  /**
   * What the views before this one asked for is in the figures; the page's own questions are not.
   */
  private static void overviewTellsLatenciesOfWhatWasAsked(Browser browser) throws Exception {
    browser.click("nav a[href='#/overview']");
    for (String figure : List.of("p50", "p99")) {
      browser.await(
          "document.querySelector('[data-service=rewarder] td[data-label=%s]')?.textContent !== '–'"
              .formatted(figure));
    }
    // The node's own history draws a line for each service that was asked.
    browser.await("document.querySelectorAll('.plot svg .line').length > 7");
    assertThat(
            browser
                .evaluate(
                    "[...document.querySelectorAll('.plot h2')].map(e => e.textContent).join()")
                .asString())
        .isEqualTo("Requests per second,Latency p99,Latency p50,Errors and refusals per second");
    assertThat(browser.evaluate("document.querySelectorAll('.plot .legend li').length").asInt())
        .as("a line of each service in three charts, errors and refusals in the fourth")
        .isEqualTo(3 * Services.all().size() + 4);
    // A request that the gateway passes on is counted by it and by the service behind it.
    assertThat(
            browser
                .evaluate(
                    """
                    import("./overview.js").then(page => JSON.stringify(page.rates([
                      {name: "gateway", figures: {perSecond: 5}}, {name: "s3", figures: {perSecond: 2}},
                      {name: "mailbox", figures: {perSecond: 5}}, {name: "admin", figures: {perSecond: 9}}
                    ], "perSecond")))
                    """)
                .asString())
        .isEqualTo("{\"services\":7,\"gateway\":5}");
    if (picturesAreWritten()) {
      workForAWhile(browser);
    }
    browser.screenshot(PICTURES.resolve("overview.png"));
  }

  /** So that the README's picture shows what a node at work looks like. */
  private static void workForAWhile(Browser browser) throws Exception {
    browser.evaluate(
        """
        (async () => {
          const head = {Authorization: 'Bearer ' + sessionStorage.getItem('ron.capability')};
          const end = Date.now() + 25000;
          for (let turn = 0; Date.now() < end; turn++) {
            const size = 500 + 400 * Math.sin(turn / 40);
            await Promise.all([
              fetch('/api/gateway/o', {method: 'POST', headers: head, body: `${turn}`.repeat(size)}),
              fetch('/api/gateway/edge/packs', {headers: head}),
              fetch(`/api/gateway/v1/send?topic=orders&idem_key=${turn}`,
                {method: 'POST', headers: {...head, 'Content-Type': 'text/plain'}, body: 'nails'})]);
            if (turn % 3 === 0) await fetch('/signed/s3/papers?list-type=2', {headers: head});
          }
          document.getElementById('notes').replaceChildren();
        })()\
        """);
  }

  private static boolean picturesAreWritten() {
    return "write".equals(System.getProperty("ron.golden"));
  }

  /** A picture differs with fonts and times, so it is not compared, only taken anew when asked. */
  private static void theReadmeHasItsPictures() throws Exception {
    Path root = Path.of(System.getProperty("ron.root"));
    for (String name : List.of("overview.png", "map.png")) {
      Path shown = root.resolve("docs/pictures").resolve(name);
      if (picturesAreWritten()) {
        Files.createDirectories(shown.getParent());
        Files.copy(PICTURES.resolve(name), shown, StandardCopyOption.REPLACE_EXISTING);
      }
      assertThat(shown).exists();
      assertThat(root.resolve("README.md")).content().contains("docs/pictures/" + name);
    }
  }

  /** Every label of the tree is within its picture, and nothing is red while nothing happens. */
  private static void graphShowsTreesAndChannels(Browser browser) throws Exception {
    browser.click("nav a[href='#/graph']");
    for (ServiceKind<?> service : Services.all()) {
      browser.await(
          service.name().equals("sqs") // a door alone
              ? "document.querySelector('[data-service=sqs] p')"
              : "document.querySelectorAll('[data-service=%s] svg.tree rect').length > 2"
                  .formatted(service.name()));
    }
    // What the page asks goes through shards, so their inboxes are seen to flow.
    browser.await("document.querySelectorAll('[data-service=mailbox] .edge').length > 2");
    assertThat(
            browser
                .evaluate(
                    "[...document.querySelectorAll('section .scroll')].filter(e => e.scrollWidth >"
                        + " e.clientWidth).length")
                .asInt())
        .as("trees that are wider than their place")
        .isZero();
    assertThat(
            browser
                .evaluate(
                    """
                    [...document.querySelectorAll('svg.tree')].flatMap(svg => {
                      const whole = svg.getBoundingClientRect();
                      return [...svg.querySelectorAll('text')].map(e => [e, e.getBoundingClientRect()])
                        .filter(([, box]) => box.left < whole.left || box.right > whole.right)
                        .map(([e]) => e.textContent);
                    }).join()\
                    """)
                .asString())
        .as("labels that are cut off")
        .isEmpty();
    assertThat(browser.evaluate("document.querySelectorAll('.level.high, .losing').length").asInt())
        .as("channels that look full or losing at rest")
        .isZero();
    browser.screenshot(PICTURES.resolve("graph.png"));
  }

  /** Five failures of a delivery make a dead letter; one click makes it ready again. */
  private static void aMessageDiesAndIsSentAgain(Browser browser) throws Exception {
    browser.click("nav a[href='#/queues']");
    browser.fill("#send input[name=topic]", "orders");
    browser.fill("#send textarea[name=payload]", "a box of nails");
    browser.click("#send button");
    browser.await("document.querySelector('#messages pre')?.textContent === 'a box of nails'");
    for (int attempt = 1; attempt <= 5; attempt++) {
      browser.click("#take");
      browser.await("document.body.innerText.includes('attempt " + attempt + "')");
      browser.click("#nack");
      browser.await("!document.getElementById('nack')");
    }
    browser.await("document.querySelector('#dead td .mono')");
    browser.screenshot(PICTURES.resolve("dead-letter.png"));
    browser.click("#dead td .mono");
    browser.await(
        "document.querySelector('textarea[aria-label=payload]')?.value === 'a box of nails'");
    browser.click("#replay");
    browser.await("!document.querySelector('#dead td .mono')");
    browser.click("#take");
    browser.click("#ack");
    browser.await("document.body.innerText.includes('Acknowledged')");
    browser.screenshot(PICTURES.resolve("queue.png"));
  }

  /** Through the door that speaks SQS, signed on the way. */
  private static void aQueueIsMadeFilledSeenAndPurged(Browser browser) throws Exception {
    browser.evaluate("document.querySelector('details.card').open = true");
    browser.fill("#create input[name=queue]", "jobs");
    browser.click("#create button");
    browser.click("[data-queue='sqs/000000000000/jobs']");
    browser.fill("#send input[name=topic]", "sqs/000000000000/jobs");
    browser.fill("#send textarea[name=payload]", "job seven");
    browser.click("#send button");
    browser.await("document.querySelector('#messages pre')?.textContent === 'job seven'");
    browser.screenshot(PICTURES.resolve("sqs.png"));
    theFocusStaysWhenTheListIsDrawnAnew(browser);
    browser.click("#purge");
    browser.await("document.getElementById('asking').open");
    browser.click("#sure");
    browser.await("document.getElementById('messages').textContent === 'no message lies here'");
  }

  /** Every two seconds; a person who goes through it by keys would begin again each time. */
  private static void theFocusStaysWhenTheListIsDrawnAnew(Browser browser) {
    browser.evaluate(
        "window.drawnBefore = document.querySelector('[data-queue$=jobs]'); drawnBefore.focus()");
    browser.await("!drawnBefore.isConnected");
    assertThat(browser.evaluate("document.activeElement.dataset.queue ?? ''").asString())
        .isEqualTo("sqs/000000000000/jobs");
  }

  /** A file that is dropped twice has two versions, and its text is shown. */
  private static void aBucketKeepsVersionsOfWhatIsDropped(Browser browser) throws Exception {
    browser.click("nav a[href='#/buckets']");
    browser.fill("#mb input[name=bucket]", "papers");
    browser.click("#mb input[name=versions]");
    browser.click("#mb button");
    for (String text : List.of("first", "second")) {
      browser.await("document.getElementById('upload')");
      browser.evaluate(
          """
          { const files = new DataTransfer();
            files.items.add(new File(['%s'], 'a note (1).txt', {type: 'text/plain'}));
            const zone = document.querySelector('.drop');
            zone.dispatchEvent(new DragEvent('drop', {dataTransfer: files, cancelable: true})); }\
          """
              .formatted(text));
      browser.await(
          "document.querySelector('#files tbody')?.textContent.includes('%d B')"
              .formatted(text.length()));
      browser.click("[data-key='a note (1).txt']");
      browser.await("document.querySelector('#object pre')?.textContent === '%s'".formatted(text));
    }
    browser.await("document.querySelectorAll('#object tbody tr').length === 2");
    browser.screenshot(PICTURES.resolve("bucket.png"));
  }

  private static void logsAreFiltered(Browser browser) throws Exception {
    browser.click("nav a[href='#/logs']");
    browser.await("document.querySelectorAll('#logs tbody tr').length > 3");
    browser.fill("input[name=words]", "dead-letter");
    browser.await("document.querySelectorAll('#logs tbody tr').length === 1");
    browser.screenshot(PICTURES.resolve("logs.png"));
  }

  private static void settingsSayWhereTheyComeFrom(Browser browser) throws Exception {
    browser.click("nav a[href='#/settings']");
    browser.await("document.querySelectorAll('#settings tbody tr').length > 100");
    browser.click("input[name=changed]");
    browser.await("document.body.innerText.includes('rewarder.require_signed_policy')");
    browser.screenshot(PICTURES.resolve("settings.png"));
  }

  private static void anObjectIsUploadedAndVerified(Browser browser) throws Exception {
    browser.click("nav a[href='#/objects']");
    browser.await("document.getElementById('file')");
    // Larger than a part, so that it goes in several.
    browser.evaluate(
        """
        { const files = new DataTransfer();
          files.items.add(new File([new Uint8Array(2500000).map((_, i) => i * 31)], 'a.bin'));
          const input = document.getElementById('file');
          input.files = files.files;
          input.dispatchEvent(new Event('change')); }\
        """);
    browser.click("#objects button[data-verify]");
    browser.await("document.querySelector('#objects .tag.good')?.textContent === 'verified here'");
    browser.screenshot(PICTURES.resolve("objects.png"));
  }

  private static void theMapDraws(Browser browser) throws Exception {
    browser.click("nav a[href='#/maps']");
    browser.await("document.querySelector('iframe').contentDocument.querySelector('canvas')");
    // The map's worker asks for tiles, which the page itself does not see; the edge counts them.
    String counted =
        """
        (async () => {
          for (let look = 0; look < 300; look++) {
            const metrics = await (await fetch('/api/edge/metrics')).text();
            if (metrics.split('\\n').some(line => line.startsWith('http_requests_total')
              && line.includes('{z}') && line.includes('status="200"'))) return true;
            await new Promise(rest => setTimeout(rest, 100));
          }
          return false;
        })()\
        """;
    assertThat(browser.evaluate(counted).asBoolean()).as("tiles were asked for").isTrue();
    browser.await(
        "document.querySelector('iframe').contentDocument.querySelector('[data-state=drawn]')");
    browser.screenshot(PICTURES.resolve("map.png"));
  }

  private static void anEpochIsExplained(Browser browser) throws Exception {
    browser.click("nav a[href='#/epochs']");
    browser.await("document.getElementById('compute')");
    browser.evaluate(
        """
        (async () => {
          const seal = async text => (await (await fetch('/api/storage/o', {method: 'POST', body: text,
            headers: {Authorization: 'Bearer ' + sessionStorage.getItem('ron.capability')}})).json()).address;
          const lines = 'actor,metric,units\\nalice,uptime,3\\nbob,uptime,5\\ncarol,uptime,9\\n';
          const field = name => document.querySelector(`#compute input[name=${name}]`);
          field('id').value = '2026-11-15';
          field('accounting').value = await seal(lines);
          field('ledger').value = await seal('{"pool_minor":"1000","asset":"ROC","epoch":"2026-11-15"}');
          field('policy').value = await seal('{"id":"p","version":1,"weights_ppm":{"uptime":1000000},' +
            '"rounding":"floor","min_payout_minor":"0","actor_cap_minor":null,"pool_cap_minor":null,' +
            '"on_bad_line":"refuse","signatures":[]}');
        })()\
        """);
    browser.click("#compute button");
    browser.click("button[data-actor=bob]");
    browser.await(
        "document.querySelector('#explained .tag.good')?.textContent === 'holds, checked here'");
    browser.screenshot(PICTURES.resolve("epoch.png"));
  }

  /** What the views before this one used is sealed every second; one click shows by what seals. */
  private static void anInvoiceLineLeadsToItsSeals(Browser browser) throws Exception {
    browser.click("nav a[href='#/tenants']");
    browser.await("document.querySelector('#tenants button[data-tenant=operator]')");
    assertThat(
            browser
                .evaluate(
                    "document.querySelector('#tenants"
                        + " button[data-tenant=acme]').closest('tr').innerText")
                .asString())
        .contains(
            "4", "requests_per_second 500", "0 at mailbox", "queued 2\u202f147\u202f483\u202f648");
    assertThat(
            browser
                .evaluate(
                    "document.querySelector('#tenants"
                        + " button[data-tenant=operator]').closest('tr').innerText")
                .asString())
        .contains("none set");
    browser.click("#tenants button[data-tenant=operator]");
    browser.click("#lines button[data-metric='mailbox.messages_sent']");
    browser.await(
        "document.querySelector('#why .tag.good')?.textContent === 'holds, checked here'");
    assertThat(browser.evaluate("document.querySelector('#why h2').textContent").asString())
        .isEqualTo("Why 1 mailbox.messages_sent for operator");
    assertThat(browser.evaluate("document.querySelectorAll('#why .tag.bad').length").asInt())
        .isZero();
    assertThat(browser.evaluate("document.querySelector('main').innerText").asString())
        .doesNotContain("null", "undefined");
    browser.screenshot(PICTURES.resolve("tenants.png"));
  }

  private ChildJvm up(Path ready) throws Exception {
    return ChildJvm.start(
        Ron.class,
        "up",
        "--data",
        data.toString(),
        "--base-port",
        Integer.toString(FreePorts.row(AdminConfig.PORT_OFFSET + 1)),
        "--set",
        "rewarder.require_signed_policy=false",
        "--set",
        "usage.seal=1s",
        "--set",
        "tenants=[{name=\"acme\",weight=4,requests_per_second=500,queued=\"2GiB\"}]",
        "--ready-file",
        ready.toString());
  }

  /** It appears whole, by a rename; until then there is nothing to hear of it. */
  private static String awaitFile(ChildJvm node, Path file) throws Exception {
    long end = System.nanoTime() + 120_000_000_000L;
    while (!Files.exists(file)) {
      assertThat(ProcessHandle.of(node.pid())).as("the node ended").isPresent();
      assertThat(System.nanoTime()).as("not ready in time").isLessThan(end);
      LockSupport.parkNanos(2_000_000);
    }
    return Files.readString(file);
  }

  private static String field(String json, String name) {
    var match = Pattern.compile("\"" + name + "\":\"([^\"]+)\"").matcher(json);
    assertThat(match.find()).as("%s in %s", name, json).isTrue();
    return match.group(1);
  }
}
