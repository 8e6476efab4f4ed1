package dev.ron.kernel.supervise;

/**
 * How the end of a tree went. Every task is in exactly one of the first two.
 *
 * @param tasksDrained tasks that ended in order
 * @param tasksAborted tasks that were interrupted because their time was up, or that failed and did
 *     not come to their end
 * @param requestsAnswered requests that were in flight when the drain began and had their answer
 * @param requestsCut those that were cut because the time was up
 * @param waitsTold waits that ended because of the drain, such as long polls
 * @param itemsDropped items left in channels that no task received, and those an aborted task had
 *     in hand
 */
public record DrainReport(
    int tasksDrained,
    int tasksAborted,
    int requestsAnswered,
    int requestsCut,
    int waitsTold,
    int itemsDropped) {
  static final DrainReport NOTHING = tasks(0, 0);

  /** A drain without requests, waits and losses. */
  public static DrainReport tasks(int drained, int aborted) {
    return new DrainReport(drained, aborted, 0, 0, 0, 0);
  }

  static DrainReport of(Door.Requests requests) {
    return new DrainReport(0, 0, requests.answered(), requests.cut(), 0, 0);
  }

  static DrainReport dropped(int items) {
    return new DrainReport(0, 0, 0, 0, 0, items);
  }

  static DrainReport told(int waits) {
    return new DrainReport(0, 0, 0, 0, waits, 0);
  }

  public DrainReport plus(DrainReport other) {
    return new DrainReport(
        tasksDrained + other.tasksDrained,
        tasksAborted + other.tasksAborted,
        requestsAnswered + other.requestsAnswered,
        requestsCut + other.requestsCut,
        waitsTold + other.waitsTold,
        itemsDropped + other.itemsDropped);
  }

  /** Nothing had to be forced. */
  public boolean clean() {
    return tasksAborted == 0 && requestsCut == 0 && itemsDropped == 0;
  }

  @Override
  public String toString() {
    return "%d tasks, %d aborted, %d requests answered, %d requests cut, %d waits told, %d items dropped"
        .formatted(
            tasksDrained, tasksAborted, requestsAnswered, requestsCut, waitsTold, itemsDropped);
  }
}
