package dev.ron.gateway.admit;

import dev.ron.gateway.GatewayFault.TenantClass;
import dev.ron.gateway.core.FairRate;
import dev.ron.kernel.time.Time;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;

/**
 * The rate of this instance, {@code limits.rps}, and how its clients share it.
 *
 * <p>Requests are shared between tenants, strangers by their address, and what the operator's
 * tokens ask for by the token. A token that only its signature can tell is a claim until it is
 * verified, so verifications have the same rate once more, shared by address: bad tokens of one
 * address cost the others nothing, and a tenant is not measured by the address it shares with
 * others. A token that was verified before needs none.
 *
 * <p>Threading: thread-safe; {@code lock} guards both rates.
 */
public final class InstanceRate {
  private final Time time;
  private final int perSecond;
  private final ReentrantLock lock = new ReentrantLock();
  private final FairRate requests;
  private final FairRate verifications;

  public InstanceRate(Time time, RandomGenerator chance, int perSecond) {
    this.time = time;
    this.perSecond = perSecond;
    this.requests = new FairRate(perSecond, time.now(), chance.nextInt());
    this.verifications = new FairRate(perSecond, time.now(), chance.nextInt());
  }

  public int perSecond() {
    return perSecond;
  }

  /** Zero if a token of that client may be looked at, else when to come again. */
  public Duration verify(String client) {
    lock.lock();
    try {
      return verifications.stranger(client, time.now());
    } finally {
      lock.unlock();
    }
  }

  /**
   * Zero if a request may pass, else when to come again.
   *
   * @param asker which of those that are this tenant together: an address or the id of a token
   */
  public Duration pass(Tenant tenant, String asker) {
    lock.lock();
    try {
      if (isStranger(tenant)) {
        return requests.stranger(asker, time.now());
      }
      return tenant.isOperator()
          ? requests.operator(asker, time.now())
          : requests.tenant(tenant.key(), time.now());
    } finally {
      lock.unlock();
    }
  }

  /** The request that passed was refused for a narrower rate. */
  public void giveBack(Tenant tenant, String asker) {
    lock.lock();
    try {
      if (isStranger(tenant)) {
        requests.strangerGaveBack(asker, time.now());
      } else if (tenant.isOperator()) {
        requests.operatorGaveBack(asker, time.now());
      } else {
        requests.tenantGaveBack(tenant.key(), time.now());
      }
    } finally {
      lock.unlock();
    }
  }

  private static boolean isStranger(Tenant tenant) {
    return tenant.tenantClass() == TenantClass.ANONYMOUS;
  }
}
