package dev.ron.node.cluster;

import dev.ron.http.Refusal;
import dev.ron.rewarder.epoch.AgreedRun;
import dev.ron.rewarder.epoch.EpochLog;
import dev.ron.storage.s3.cluster.AgreedRecords;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which run each epoch belongs to, as records in the log of S3 names, which all machines keep.
 *
 * <p>The rewarder runs where the list of machines is kept. A machine that was cut off may not know
 * that this is another one by now, so that it runs there is no right to close an epoch: the record
 * is.
 *
 * <p>Threading: thread-safe.
 */
final class ClusterEpochs implements EpochLog {
  private static final String EPOCH = "epoch/";
  private static final String PAID = "paid/";

  /** There once the epochs of the first machine are, which it closed while it was alone. */
  private static final String BEGUN = "epochs-begun";

  private final AgreedRecords records;
  private final Origin origin;

  /** Whether this machine has the epochs of the time before the cluster, or may go on without. */
  @FunctionalInterface
  interface Origin {
    boolean isHere() throws IOException;
  }

  ClusterEpochs(AgreedRecords records, Origin origin) {
    this.records = records;
    this.origin = origin;
  }

  @Override
  public void begin(Map<AgreedRun, Long> closed) throws IOException, InterruptedException {
    if (records.record(BEGUN).isPresent()) {
      return;
    }
    if (!origin.isHere()) {
      String unknown =
          closed.isEmpty()
              ? "the epochs of the machine that began the cluster were lost with it before the others"
                  + " knew of them: which are paid is not known here. If none was"
              : "an earlier build moved the authority here, and the others do not know of the "
                  + closed.size()
                  + " epochs that were closed on this machine. They are entered first, as they are"
                  + " paid; those of a machine before this one are not known. If none is to be"
                  + " computed again";
      throw new IOException(
          unknown
              + ", type `ron cluster authority import --in authority.pem --epochs-lost` here and"
              + " restart");
    }
    for (Map.Entry<AgreedRun, Long> each : closed.entrySet()) {
      AgreedRun run = each.getKey();
      records.agree(EPOCH + run.epoch(), run.bytes());
      if (each.getValue() > 1) {
        paid(run.runKey(), each.getValue());
      }
    }
    records.agree(BEGUN, new byte[] {1});
  }

  @Override
  public AgreedRun claim(AgreedRun run) throws IOException, InterruptedException {
    if (records.known(BEGUN).isEmpty()) {
      throw new IOException("the epochs of the time before the cluster are not agreed on yet");
    }
    return AgreedRun.read(records.agree(EPOCH + run.epoch(), run.bytes()));
  }

  @Override
  public Optional<AgreedRun> known(String epoch) throws IOException {
    Optional<byte[]> record = records.known(EPOCH + epoch);
    return record.isEmpty() ? Optional.empty() : Optional.of(AgreedRun.read(record.get()));
  }

  @Override
  public List<AgreedRun> all() throws IOException, InterruptedException {
    var all = new ArrayList<AgreedRun>();
    for (byte[] record : records.all(EPOCH).values()) {
      all.add(AgreedRun.read(record));
    }
    return all;
  }

  @Override
  public void paid(String runKey, long next) throws Refusal, InterruptedException {
    if (records.known(PAID + runKey).map(ClusterEpochs::line).orElse(1L) < next) {
      records.replace(PAID + runKey, ByteBuffer.allocate(Long.BYTES).putLong(next).array());
    }
  }

  @Override
  public long firstUnpaid(String runKey) throws IOException, InterruptedException {
    return records.record(PAID + runKey).map(ClusterEpochs::line).orElse(1L);
  }

  private static long line(byte[] record) {
    return ByteBuffer.wrap(record).getLong();
  }
}
