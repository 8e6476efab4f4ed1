package dev.ron.tidy.planted.kernel;

/** The kernel uses what is neither JDK nor metrics: refused. */
public class Foreign {
  public final org.assertj.core.api.Condition<String> condition =
      new org.assertj.core.api.Condition<>();
}
