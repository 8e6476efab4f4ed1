/**
 * Side-by-side measurements: ours and a peer on the same machine, in the same minutes, taking
 * turns.
 *
 * <ul>
 *   <li>what can be run: {@link Benchmark}, listed in {@link Benchmarks}, started by {@link
 *       BenchMain}
 *   <li>how it is run: {@link BenchRun}, {@link Interleave} over two {@link Side}s giving {@link
 *       Rounds}
 *   <li>what it says: {@link Comparison} as a {@link JsonLine}, {@link Spread}, {@link Plot} as an
 *       {@link Svg}
 *   <li>other programs: {@link Peer} on the {@link SearchPath}, {@link ChildProcess} with its
 *       {@link ProcessTree}, {@link ToolRun}, {@link NginxPeer}; undone in any case by {@link
 *       ExitGuard}
 *   <li>cost: {@link CpuTime} from {@link ProcStat}, {@link RepeatedWork} within this process;
 *       load: {@link LoadGenerator}, {@link HttpSide}
 *   <li>what is measured: {@link FlushBenchmark}, {@link Blake3Benchmark}, {@link ErasureBenchmark}
 *       with {@link IsalEncoder} and {@link PlainParity}, {@link HttpBenchmark} with our server as
 *       {@link ServerTarget} in a {@link ChildJvm}
 *   <li>{@link ContentBenchmark} with {@link ContentPuts}, {@link ContentTargetMain} and {@link
 *       ContentStartMain}, asked once by {@link SameAnswer}
 *   <li>{@link GatewayBenchmark} with our gateway as {@link ServerTarget} beside {@link NginxPeer}
 *       and {@link ProxyPeer}s, {@link FairnessBenchmark} with {@link PlacesMain} behind it and
 *       {@link AskingClient}s and {@link LoudClients} before it
 *   <li>{@link MailboxBenchmark} with {@link MailboxPromptness}; queues: {@link QueueLoad} on a
 *       {@link QueueServer} through {@link QueueLine}s: {@link MailboxTarget}, {@link
 *       BeanstalkdPeer}, {@link NatsPeer}, {@link RabbitPeer} ({@link AmqpLine}), {@link
 *       ElasticMqPeer}, {@link MailboxGrpc} ({@link GrpcLine}), all over a {@link Wire}
 *   <li>{@link RewarderBenchmark} with {@link AggregateMain} in an {@link AggregateChild}
 * </ul>
 */
@NullMarked
package dev.ron.bench;

import org.jspecify.annotations.NullMarked;
