package dev.ron.storage.core;

import dev.ron.blake3.Address;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One page of what all homes hold, in the order of addresses.
 *
 * <p>Each home lists so many objects after the last page. A page goes no further than the shortest
 * of the listings that were cut off: beyond that a home may have more than it said.
 *
 * <p>Threading: immutable.
 *
 * @param next the last address of the page, or null after the last page
 */
public record Inventory(List<ObjectCopies> holdings, @Nullable Address next) {
  public Inventory {
    holdings = List.copyOf(holdings);
  }

  /** An object as a home lists it. */
  public record Listed(Address address, long sizeBytes) {}

  /**
   * @param listings of each home by its id, sorted by address
   * @param cutAt the length at which a listing was cut off
   */
  public static Inventory page(Map<String, List<Listed>> listings, int cutAt) {
    Address until = null;
    for (List<Listed> listing : listings.values()) {
      if (listing.size() == cutAt) {
        Address last = listing.getLast().address();
        until = until == null || compare(last, until) < 0 ? last : until;
      }
    }
    Address limit = until;
    var sizes = new HashMap<Address, Long>();
    var holders = new HashMap<Address, Set<String>>();
    listings.forEach(
        (home, listing) -> {
          for (Listed listed : listing) {
            if (limit == null || compare(listed.address(), limit) <= 0) {
              sizes.put(listed.address(), listed.sizeBytes());
              holders.computeIfAbsent(listed.address(), _ -> new HashSet<>()).add(home);
            }
          }
        });
    var holdings = new ArrayList<ObjectCopies>();
    holders.forEach(
        (address, homes) ->
            holdings.add(new ObjectCopies(address, sizes.getOrDefault(address, 0L), homes)));
    holdings.sort(Comparator.comparing(ObjectCopies::address, Inventory::compare));
    return new Inventory(holdings, until);
  }

  /** The order that stores list in: that of the hex digits. */
  public static int compare(Address a, Address b) {
    return a.toString().compareTo(b.toString());
  }
}
