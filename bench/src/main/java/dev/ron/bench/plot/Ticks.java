package dev.ron.bench.plot;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;

/**
 * The marks of an axis: round numbers (1, 2 or 5 times a power of ten apart) that enclose the
 * values.
 *
 * <p>Threading: immutable.
 */
record Ticks(double step, List<Double> marks, int decimals) {
  private static final int STEPS_WISHED = 6;

  Ticks {
    marks = List.copyOf(marks);
  }

  static Ticks enclosing(double low, double high) {
    if (!Double.isFinite(low) || !Double.isFinite(high) || low > high) {
      throw new IllegalArgumentException("no axis from " + low + " to " + high);
    }
    // A flat line still needs an axis with some height.
    double width = high > low ? high - low : Math.max(Math.abs(high), 1) * 0.1;
    double rough = width / STEPS_WISHED;
    double power = Math.pow(10, Math.floor(Math.log10(rough)));
    double times = rough / power;
    double step = power * (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10);
    long first = (long) Math.floor(low / step + 1e-9);
    long last = Math.max((long) Math.ceil(high / step - 1e-9), first + 1);
    var marks = new ArrayList<Double>();
    for (long i = first; i <= last; i++) {
      marks.add(i * step);
    }
    return new Ticks(step, marks, Math.max(0, (int) Math.ceil(-Math.log10(step) - 1e-9)));
  }

  double low() {
    return marks.getFirst();
  }

  double high() {
    return marks.getLast();
  }

  String label(double mark) {
    return BigDecimal.valueOf(mark).setScale(decimals, RoundingMode.HALF_EVEN).toPlainString();
  }
}
