package dev.ron.storage.s3.names;

import dev.ron.ordered.OrderedStore;
import dev.ron.storage.s3.S3Fault;

/**
 * The state machine of all names: rows and a command lead to other rows and an answer, the same on
 * every machine and after every restart.
 *
 * <p>Threading: as its rows.
 */
public final class NameMachine {
  /** Since when a request sees the rows, where no other machine deletes blocks behind its back. */
  static final long NO_BURIALS = Long.MAX_VALUE;

  private final BucketDecider buckets;
  private final ObjectDecider objects;
  private final AmendDecider amendments;
  private final UploadDecider uploads;
  private final BurialDecider burials;

  public NameMachine(NameRows rows) {
    var view = new NameView(rows);
    this.buckets = new BucketDecider(view);
    this.objects = new ObjectDecider(view);
    this.amendments = new AmendDecider(view);
    this.uploads = new UploadDecider(view);
    this.burials = new BurialDecider(view);
  }

  /**
   * Reads and decides; changes nothing.
   *
   * @param sequence the command's position in the log, not 0
   */
  public NameDecision decide(NameCommand command, long sequence) {
    return decide(command, NO_BURIALS, sequence);
  }

  /**
   * The same where blocks are deleted on several machines.
   *
   * @param since up to which sequence the rows were that the command's request saw first
   */
  NameDecision decide(NameCommand command, long since, long sequence) {
    NameDecision decision =
        since == NO_BURIALS
            ? decided(command, sequence)
            : burials.refusal(command, since).orElseGet(() -> decided(command, sequence));
    for (NameDecision.Change change : decision.changes()) {
      byte[] value = change.value();
      if (value != null && value.length > OrderedStore.VALUE_BYTES_MAX) {
        // It is in the log: if it failed here, it would fail again after every start.
        return NameDecision.refused(new S3Fault.EntityTooLarge(OrderedStore.VALUE_BYTES_MAX));
      }
    }
    return decision;
  }

  private NameDecision decided(NameCommand command, long sequence) {
    return switch (command) {
      case NameCommand.CreateBucket create -> buckets.create(create, sequence);
      case NameCommand.DeleteBucket delete -> buckets.delete(delete);
      case NameCommand.ChangeBucket change -> buckets.change(change);
      case NameCommand.PutSetting set -> buckets.set(set);
      case NameCommand.PutObject put -> objects.put(put, sequence);
      case NameCommand.DeleteObject delete -> objects.delete(delete, sequence);
      case NameCommand.AmendObject amend -> amendments.amend(amend);
      case NameCommand.CreateUpload create -> uploads.create(create, sequence);
      case NameCommand.PutPart put -> uploads.put(put);
      case NameCommand.CompleteUpload complete -> uploads.complete(complete, sequence);
      case NameCommand.AbortUpload abort -> uploads.abort(abort);
      case NameCommand.ReleaseParts release -> uploads.release(release);
      case NameCommand.Forget forget -> forget(forget);
      case NameCommand.ForgetCompleted forget -> uploads.forget(forget);
      case NameCommand.Condemn condemn -> burials.condemn(condemn, sequence);
      case NameCommand.Bury bury -> burials.bury(bury, sequence);
      case NameCommand.ForgetBuried forget -> burials.forget(forget);
      case NameCommand.NoteOrphans note -> burials.note(note);
    };
  }

  private static NameDecision forget(NameCommand.Forget forget) {
    var decision = new NameDecision();
    for (NameCommand.Garbage garbage : forget.garbage()) {
      decision.delete(RowKeys.garbage(garbage.millis(), garbage.block()));
    }
    return decision;
  }
}
