package dev.ron.rewarder.input.parquet;

import dev.ron.rewarder.RewarderFaultException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A struct of Thrift's compact protocol, as Parquet writes its footer and its page headers: values
 * by the number of their field.
 *
 * <p>Lengths in the bytes are never trusted: nothing is allocated larger than the bytes that are
 * there.
 *
 * <p>Threading: immutable once read.
 */
final class ThriftStruct {
  private static final int DEPTH_MAX = 16;

  private final Map<Integer, Object> fields;

  private ThriftStruct(Map<Integer, Object> fields) {
    this.fields = fields;
  }

  /** Reads structs out of a buffer, one behind the other. */
  static final class Reader {
    private final byte[] bytes;
    private final int end;
    private int at;

    Reader(byte[] bytes, int from, int to) {
      this.bytes = bytes;
      this.at = from;
      this.end = to;
    }

    int position() {
      return at;
    }

    ThriftStruct struct() throws RewarderFaultException {
      return struct(0);
    }

    private ThriftStruct struct(int depth) throws RewarderFaultException {
      if (depth > DEPTH_MAX) {
        throw broken("nested too deep");
      }
      var fields = new HashMap<Integer, Object>();
      int id = 0;
      for (int head = one(); head != 0; head = one()) {
        int delta = head >>> 4;
        id = delta == 0 ? (int) zigzag() : id + delta;
        fields.put(id, value(head & 15, depth));
      }
      return new ThriftStruct(fields);
    }

    private Object value(int type, int depth) throws RewarderFaultException {
      return switch (type) {
        case 1 -> 1L;
        case 2 -> 0L;
        case 3 -> (long) (byte) one();
        case 4, 5, 6 -> zigzag();
        case 7 -> bytes(8);
        case 8 -> bytes(varint());
        case 9, 10 -> list(depth);
        case 12 -> struct(depth + 1);
        default -> throw broken("a type that Parquet does not use");
      };
    }

    private List<Object> list(int depth) throws RewarderFaultException {
      int head = one();
      long size = head >>> 4 == 15 ? varint() : head >>> 4;
      if (size > end - at) {
        throw broken("a list longer than the file");
      }
      var list = new ArrayList<Object>();
      for (long i = 0; i < size; i++) {
        // In a list a truth has a byte of its own.
        int type = head & 15;
        list.add(type <= 2 ? (Object) (long) one() : value(type, depth + 1));
      }
      return list;
    }

    private byte[] bytes(long length) throws RewarderFaultException {
      if (length < 0 || length > end - at) {
        throw broken("a text longer than the file");
      }
      byte[] copy = java.util.Arrays.copyOfRange(bytes, at, at + (int) length);
      at += (int) length;
      return copy;
    }

    private int one() throws RewarderFaultException {
      if (at >= end) {
        throw broken("cut short");
      }
      return bytes[at++] & 0xff;
    }

    private long varint() throws RewarderFaultException {
      long value = 0;
      for (int shift = 0; shift < Long.SIZE; shift += 7) {
        int next = one();
        value |= (long) (next & 0x7f) << shift;
        if (next < 0x80) {
          return value;
        }
      }
      throw broken("a number that does not end");
    }

    private long zigzag() throws RewarderFaultException {
      long coded = varint();
      return (coded >>> 1) ^ -(coded & 1);
    }
  }

  private static RewarderFaultException broken(String what) {
    return RewarderFaultException.badInput("Parquet: metadata " + what);
  }

  boolean has(int field) {
    return fields.containsKey(field);
  }

  long number(int field, long fallback) {
    return fields.get(field) instanceof Long number ? number : fallback;
  }

  /** A number that has to be there, within bounds. */
  int count(int field, long max) throws RewarderFaultException {
    if (fields.get(field) instanceof Long number && number >= 0 && number <= max) {
      return Math.toIntExact(number);
    }
    throw broken("field " + field + " is missing or out of range");
  }

  String text(int field) throws RewarderFaultException {
    if (fields.get(field) instanceof byte[] bytes) {
      return new String(bytes, java.nio.charset.StandardCharsets.UTF_8);
    }
    throw broken("field " + field + " is no text");
  }

  ThriftStruct struct(int field) throws RewarderFaultException {
    if (fields.get(field) instanceof ThriftStruct struct) {
      return struct;
    }
    throw broken("field " + field + " is no struct");
  }

  List<ThriftStruct> structs(int field) throws RewarderFaultException {
    if (!(fields.get(field) instanceof List<?> list)) {
      throw broken("field " + field + " is no list");
    }
    var structs = new ArrayList<ThriftStruct>();
    for (Object each : list) {
      if (!(each instanceof ThriftStruct struct)) {
        throw broken("field " + field + " is no list of structs");
      }
      structs.add(struct);
    }
    return structs;
  }
}
