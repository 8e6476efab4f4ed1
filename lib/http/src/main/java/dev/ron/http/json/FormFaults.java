package dev.ron.http.json;

import dev.ron.http.Refusal;
import dev.ron.kernel.fault.Fault;

/** Makes the fault of a body that is not in its form, so that each service keeps its own code. */
@FunctionalInterface
interface FormFaults {
  /**
   * @param text the place and what is wrong there, such as "topic: is missing"
   */
  Fault fault(String text);

  default Refusal wrong(String place, String what) {
    return Refusal.of(fault(place + ": " + what));
  }
}
