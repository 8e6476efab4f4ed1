package dev.ron.mailbox.api;

import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.mailbox.MailboxFault;

/**
 * The one place where a fault of the mailbox becomes a status; a new fault breaks the build here.
 */
public final class MailboxProblems {
  private MailboxProblems() {}

  static int status(MailboxFault fault) {
    return switch (fault) {
      case MailboxFault.Schema _ -> 400;
      case MailboxFault.CapAuth _ -> 401;
      case MailboxFault.CapScope _ -> 403;
      case MailboxFault.UnknownMessage _ -> 404;
      case MailboxFault.Duplicate _, MailboxFault.ReceiptExpired _, MailboxFault.IdemMismatch _ ->
          409;
      case MailboxFault.FrameTooLarge _ -> 413;
      case MailboxFault.Integrity _ -> 422;
      case MailboxFault.Saturated _ -> 429;
      case MailboxFault.Unavailable _ -> 503;
    };
  }

  public static Refusal refusal(MailboxFault fault) {
    return new Refusal(status(fault), fault);
  }

  static Answer answer(MailboxFault fault) {
    return Answer.problem(status(fault), fault);
  }
}
