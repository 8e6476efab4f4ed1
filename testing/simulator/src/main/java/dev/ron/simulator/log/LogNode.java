package dev.ron.simulator.log;

import dev.ron.kernel.time.Deadline;
import dev.ron.raft.RaftGroup;
import dev.ron.raft.RaftNode;
import dev.ron.raft.RaftStateMachine;
import dev.ron.simulator.engine.Seams;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * One machine's part in all groups of the simulated log.
 *
 * <p>Threading: as {@link RaftNode} says; all threads take turns on the scheduler's.
 */
public final class LogNode implements RaftNode {
  private final List<AgreedLog> logs;
  private final String machine;
  private final IntFunction<RaftStateMachine> machines;
  private final Seams seams;
  private List<RaftGroup> groups = List.of();

  public LogNode(
      List<AgreedLog> logs, String machine, IntFunction<RaftStateMachine> machines, Seams seams) {
    this.logs = List.copyOf(logs);
    this.machine = machine;
    this.machines = machines;
    this.seams = seams;
  }

  @Override
  public void open() throws IOException {
    List<RaftGroup> all = new ArrayList<>();
    for (AgreedLog log : logs) {
      log.open(log.member(machine), seams.driven(machine, machines.apply(log.number())));
      all.add(seams.group(machine, new LogGroup(log, log.member(machine))));
    }
    groups = List.copyOf(all);
  }

  @Override
  public void stopIntake() {}

  @Override
  public void end(Deadline deadline) {
    logs.forEach(each -> each.close(each.member(machine)));
  }

  @Override
  public List<RaftGroup> groups() {
    return groups;
  }

  @Override
  public RaftGroup group(int number) {
    return groups.get(number);
  }

  @Override
  public String node() {
    return machine;
  }

  @Override
  public Duration silenceMax() {
    return logs.getFirst().election().multipliedBy(3);
  }

  @Override
  public Duration handOverLimit() {
    return logs.getFirst().election().multipliedBy(2);
  }
}
