package dev.ron.raft;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.client.RaftClientConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/** What Ratis is told, each with its reason. */
final class RatisProperties {
  private static final int MIB = 1 << 20;

  /** No entry is retried here: a proposal is made once, so its answer need not be remembered. */
  private static final Duration RETRY_CACHE = Duration.ofSeconds(1);

  /** Between the machines of a group; a state that is fetched comes in parts. */
  private static final Duration REQUEST_LIMIT = Duration.ofSeconds(8);

  /** A question; a connection that leaves one unanswered for so long is made anew. */
  private static final Duration QUESTION_LIMIT = Duration.ofSeconds(4);

  private RatisProperties() {}

  static RaftProperties of(RaftSettings settings) {
    var properties = new RaftProperties();
    RaftServerConfigKeys.setStorageDir(properties, List.of(settings.folder().toFile()));
    String bind = settings.bind().isEmpty() ? address(settings) : settings.bind();
    GrpcConfigKeys.Server.setHost(properties, bind.substring(0, bind.lastIndexOf(':')));
    GrpcConfigKeys.Server.setPort(
        properties, Integer.parseInt(bind.substring(bind.lastIndexOf(':') + 1)));
    timeouts(settings, properties);
    log(settings, properties);
    if (settings.prompt()) {
      // A read of this kind makes the leader send heartbeats at once; see RaftGroup.tellFollowers.
      RaftServerConfigKeys.Read.setOption(
          properties, RaftServerConfigKeys.Read.Option.LINEARIZABLE);
    }
    // A client that gives up on an entry does not make the leader forget the others.
    RaftServerConfigKeys.RetryCache.setExpiryTime(properties, time(RETRY_CACHE));
    RaftClientConfigKeys.Rpc.setRequestTimeout(properties, time(QUESTION_LIMIT));
    return properties;
  }

  private static void timeouts(RaftSettings settings, RaftProperties properties) {
    Duration min = settings.electionMin();
    RaftServerConfigKeys.Rpc.setTimeoutMin(properties, time(min));
    RaftServerConfigKeys.Rpc.setTimeoutMax(properties, time(min.multipliedBy(2)));
    RaftServerConfigKeys.Rpc.setRequestTimeout(properties, time(REQUEST_LIMIT));
    // A machine that slept is elected out meanwhile; that is no reason to give up for good.
    RaftServerConfigKeys.setCloseThreshold(properties, time(Duration.ofDays(365)));
    RaftServerConfigKeys.LeaderElection.setLeaderStepDownWaitTime(properties, time(min));
    // From one machine to three in one change: with two, the loss of either would stop both.
    RaftServerConfigKeys.LeaderElection.setMemberMajorityAdd(properties, true);
  }

  private static void log(RaftSettings settings, RaftProperties properties) {
    SizeInBytes most = SizeInBytes.valueOf(settings.entryBytesMax());
    SizeInBytes buffer = SizeInBytes.valueOf(Math.max(8 * MIB, settings.entryBytesMax() + MIB));
    RaftServerConfigKeys.Log.setWriteBufferSize(properties, buffer);
    RaftServerConfigKeys.Log.Appender.setBufferByteLimit(properties, most);
    GrpcConfigKeys.setMessageSizeMax(
        properties, SizeInBytes.valueOf(Math.max(64 * MIB, 2L * settings.entryBytesMax())));
    RaftServerConfigKeys.Log.setSegmentSizeMax(
        properties,
        SizeInBytes.valueOf(Math.max(settings.segmentBytes(), settings.entryBytesMax())));
    RaftServerConfigKeys.Log.setPreallocatedSize(
        properties, SizeInBytes.valueOf(Math.min(4 * MIB, settings.segmentBytes())));
    // Memory for what a machine that is behind needs; older entries are read from disk again.
    RaftServerConfigKeys.Log.setSegmentCacheNumMax(properties, 2);
    RaftServerConfigKeys.Log.setSegmentCacheSizeMax(properties, SizeInBytes.valueOf(64 * MIB));
    // Otherwise each commit is followed by an entry that says so, with a flush of its own; without
    // it a machine that starts learns from the leader how far the log is agreed on.
    RaftServerConfigKeys.Log.setLogMetadataEnabled(properties, false);
    // An entry holds what has gathered while the one before was flushed; it need not wait for more.
    RaftServerConfigKeys.Log.Appender.setWaitTimeMin(
        properties, TimeDuration.valueOf(0, TimeUnit.MILLISECONDS));
    // An answer is given on a flush, not on a write.
    RaftServerConfigKeys.Log.setUnsafeFlushEnabled(properties, false);
    RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(properties, true);
    RaftServerConfigKeys.Snapshot.setAutoTriggerThreshold(properties, settings.trimEntries());
    RaftServerConfigKeys.Snapshot.setCreationGap(properties, 1);
    RaftServerConfigKeys.Log.setPurgeGap(properties, 1);
    RaftServerConfigKeys.Snapshot.setRetentionFileNum(properties, 2);
    // What a machine of the group has not got stays, however long it is away.
    RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(properties, false);
    // A machine that joins fetches the state by itself; see Machine.fetch.
    RaftServerConfigKeys.Log.Appender.setInstallSnapshotEnabled(properties, false);
  }

  private static String address(RaftSettings settings) {
    return String.valueOf(settings.peers().get(settings.node()));
  }

  static TimeDuration time(Duration duration) {
    return TimeDuration.valueOf(duration.toMillis(), TimeUnit.MILLISECONDS);
  }
}
