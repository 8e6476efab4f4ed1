package dev.ron.kernel.metric;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * The tenant that one request is charged to.
 *
 * <p>It travels with the thread that works on the request, as a scoped value, so the code that
 * acknowledges work charges for it in one call: {@code Payer.current().charge(unit, 1)}. Work that
 * no request asked for has a payer that counts nothing.
 *
 * <p>Threading: thread-safe; who pays is known once the caller's rights were checked, before the
 * work.
 */
public final class Payer {
  /** Pays for requests that show no capability, or one that names no tenant. */
  public static final String ANONYMOUS = "anonymous";

  private static final Payer NONE = new Payer(Meter.NONE);

  private static final ScopedValue<Payer> CURRENT = ScopedValue.newInstance();

  private final Meter meter;
  private volatile Meter.@Nullable Account account;
  private volatile boolean waived;

  public Payer(Meter meter) {
    this.meter = meter;
  }

  /** The payer of the work this thread does. */
  public static Payer current() {
    return CURRENT.isBound() ? CURRENT.get() : NONE;
  }

  /** The tenant is known now; what was charged before stays where it is. */
  public void is(String tenant) {
    account = meter.account(tenant);
  }

  /** The request was refused in a form that its status does not show: nothing more is charged. */
  public void waive() {
    waived = true;
  }

  public void charge(Meter.Unit unit, long units) {
    if (waived || units == 0 || meter.equals(Meter.NONE)) {
      return;
    }
    Meter.Account known = account;
    if (known == null) {
      known = meter.account(ANONYMOUS);
      account = known;
    }
    known.add(unit, units);
  }

  /** Runs with this payer as the current one. */
  public <T> T call(Callable<T> work) throws Exception {
    return meter.equals(Meter.NONE)
        ? work.call()
        : ScopedValue.where(CURRENT, this).call(work::call);
  }
}
