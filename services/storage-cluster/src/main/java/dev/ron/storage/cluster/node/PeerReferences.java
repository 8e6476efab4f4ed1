package dev.ron.storage.cluster.node;

import dev.ron.blake3.Address;
import dev.ron.storage.cluster.reference.Ballot;
import dev.ron.storage.cluster.reference.OwnerRecord;
import dev.ron.storage.cluster.reference.ReferenceNode;
import dev.ron.storage.cluster.reference.Vote;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The references of another node. One that answers no to a question has not answered it: that
 * nothing is recorded there would decide whose an object is.
 *
 * <p>Threading: immutable; its parts are thread-safe.
 */
record PeerReferences(String name, PeerClient calls, PeerHealth health) implements ReferenceNode {
  private static final String PATH = "/peer/references/";
  private static final Duration QUICK = Duration.ofSeconds(2);

  /** A flush may take as long on a disk that is busy. */
  private static final Duration FLUSH = Duration.ofSeconds(5);

  @Override
  public Vote prepare(Address address, Ballot ballot) throws IOException, InterruptedException {
    return vote(
        "prepare",
        new ReferenceMessages.Prepare(address.toString(), ballot.counter(), ballot.node()));
  }

  @Override
  public Vote accept(OwnerRecord record) throws IOException, InterruptedException {
    return vote("accept", new ReferenceMessages.Accept(record.text()));
  }

  private Vote vote(String verb, Object question) throws IOException, InterruptedException {
    return ask(verb, question, FLUSH, ReferenceMessages.Voted.class)
        .vote()
        .orElseThrow(this::notUnderstood);
  }

  private IOException notUnderstood() {
    return new IOException(name + " has records of owners that are not understood");
  }

  @Override
  public Page read(List<Address> addresses) throws IOException, InterruptedException {
    var question = new ReferenceMessages.Read(addresses.stream().map(Address::toString).toList());
    ReferenceMessages.Records found = ask("read", question, QUICK, ReferenceMessages.Records.class);
    return new Page(found.level(), records(found.records()));
  }

  @Override
  public Names named(String tenant, @Nullable Address after, int max)
      throws IOException, InterruptedException {
    var question =
        new ReferenceMessages.Named(tenant, after == null ? null : after.toString(), max);
    ReferenceMessages.Names found = ask("named", question, FLUSH, ReferenceMessages.Names.class);
    var addresses = new ArrayList<Address>();
    for (String each : found.addresses()) {
      addresses.add(PeerClient.address(each));
    }
    return new Names(found.level(), addresses);
  }

  @Override
  public Changes changes(String run, long after) throws IOException, InterruptedException {
    ReferenceMessages.Changed found =
        ask(
            "changes",
            new ReferenceMessages.Since(run, after),
            FLUSH,
            ReferenceMessages.Changed.class);
    return new Changes(found.run(), found.next(), found.more(), records(found.records()));
  }

  private List<OwnerRecord> records(List<String> texts) throws IOException {
    var records = new ArrayList<OwnerRecord>();
    for (String text : texts) {
      records.add(OwnerRecord.parse(text).orElseThrow(this::notUnderstood));
    }
    return records;
  }

  @Override
  public boolean seal(Address address, String seal) throws IOException, InterruptedException {
    return seal(address, seal, true);
  }

  @Override
  public void lift(Address address, String seal) throws IOException, InterruptedException {
    seal(address, seal, false);
  }

  private boolean seal(Address address, String seal, boolean on)
      throws IOException, InterruptedException {
    return ask(
            "seal",
            new ReferenceMessages.Seal(address.toString(), seal, on),
            QUICK,
            ReferenceMessages.Sealed.class)
        .done();
  }

  /** Once: a vote that is asked for twice is refused, and the rest is asked again soon. */
  private <T> T ask(String verb, Object question, Duration limit, Class<T> type)
      throws IOException, InterruptedException {
    try {
      return calls.json("POST", PATH + verb, question, limit, type);
    } catch (IOException e) {
      throw health.failed(e);
    }
  }
}
