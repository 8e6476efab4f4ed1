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
  /** Pays for requests that show no capability. */
  public static final String ANONYMOUS = "anonymous";

  /** Pays for requests that show a capability without a tenant, unless they name one. */
  public static final String OPERATOR = "operator";

  private static final Payer NONE = new Payer(Meter.NONE);

  private static final ScopedValue<Payer> CURRENT = ScopedValue.newInstance();

  private final Meter meter;
  private volatile String tenant = ANONYMOUS;
  private volatile Meter.@Nullable Account account;
  private volatile boolean operator;
  private volatile boolean waived;

  public Payer(Meter meter) {
    this.meter = meter;
  }

  /** Takes a tenant's turns and pays nothing: what it does is paid for where it came in. */
  public static Payer uncounted(String tenant) {
    var payer = new Payer(Meter.NONE);
    payer.is(tenant);
    return payer;
  }

  /** The payer of the work this thread does. */
  public static Payer current() {
    return CURRENT.isBound() ? CURRENT.get() : NONE;
  }

  /** Whose work this thread does; empty if no request asked for it. */
  public static String currentTenant() {
    return CURRENT.isBound() ? CURRENT.get().tenant : "";
  }

  /** The tenant is known now; what was charged before stays where it is. */
  public void is(String known) {
    tenant = known;
    account = meter.account(known);
  }

  /** It shows a capability that names no tenant; the operator pays until a tenant is named. */
  public void isOperator() {
    operator = true;
    is(OPERATOR);
  }

  /** Who asks, and so whose rates hold: the operator also where it works for a tenant. */
  public String visitor() {
    return operator ? OPERATOR : tenant;
  }

  /** Whose work this is, also where nothing is counted: turns are taken by it. */
  public String tenant() {
    return tenant;
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
    return ScopedValue.where(CURRENT, this).call(work::call);
  }

  /** As {@link #call}; what no request asked for stays so. */
  public void run(Runnable work) {
    if (equals(NONE)) {
      work.run();
    } else {
      ScopedValue.where(CURRENT, this).run(work);
    }
  }
}
