package dev.ron.kernel.supervise;

import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.time.Deadline;

/** A door that sets the service's {@code shutdown} when its intake stops. */
record ToldDoor(Door door, Watch<Boolean> shutdown) implements Door {
  @Override
  public void open() throws Exception {
    door.open();
  }

  @Override
  public void stopIntake() {
    shutdown.set(true);
    door.stopIntake();
  }

  @Override
  public Requests drain(Deadline deadline) throws InterruptedException {
    return door.drain(deadline);
  }

  @Override
  public void hasten() {
    door.hasten();
  }

  @Override
  public void end(Deadline deadline) throws InterruptedException {
    door.end(deadline);
  }

  @Override
  public void release() throws InterruptedException {
    door.release();
  }
}
