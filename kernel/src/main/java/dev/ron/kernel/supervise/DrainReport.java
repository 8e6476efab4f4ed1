package dev.ron.kernel.supervise;

/**
 * How the end of a tree went.
 *
 * @param tasksDrained tasks that ended in order
 * @param tasksAborted tasks that were interrupted because the time was up
 * @param requestsCut requests in flight that were cut for the same reason
 * @param itemsDropped items left in channels that nobody received
 */
public record DrainReport(int tasksDrained, int tasksAborted, int requestsCut, int itemsDropped) {
  static final DrainReport NOTHING = new DrainReport(0, 0, 0, 0);

  public DrainReport plus(DrainReport other) {
    return new DrainReport(
        tasksDrained + other.tasksDrained,
        tasksAborted + other.tasksAborted,
        requestsCut + other.requestsCut,
        itemsDropped + other.itemsDropped);
  }

  /** Nothing had to be forced. */
  public boolean clean() {
    return tasksAborted == 0 && requestsCut == 0 && itemsDropped == 0;
  }
}
