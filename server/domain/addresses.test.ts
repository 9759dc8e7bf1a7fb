import { expect, test } from "vitest";
import { networkOf } from "./addresses.ts";

test.each([
  ["an IPv4 address is a caller by itself", "192.0.2.1", "192.0.2.1"],
  ["an IPv4 address that is mapped into IPv6 is the same", "::ffff:192.0.2.1", "192.0.2.1"],
  ["also in hexadecimal", "::FFFF:c000:0201", "192.0.2.1"],
  ["and written out", "0:0:0:0:0:ffff:192.0.2.1", "192.0.2.1"],
  ["of IPv6 the first 64 bits count", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["zeros left out in the front", "::1", "0:0:0:0::/64"],
  ["in the middle", "2001:db8::5:6", "2001:db8:0:0::/64"],
  ["at the end", "2001:0DB8:1:2::", "2001:db8:1:2::/64"],
  ["with an IPv4 address at the end", "64:ff9b::192.0.2.1", "64:ff9b:0:0::/64"],
  ["without its zone", "fe80::1%eth0", "fe80:0:0:0::/64"],
  ["text that is not an address is unchanged", "unknown", "unknown"],
])("%s: %s", (_, address, network) => {
  expect(networkOf(address)).toBe(network);
});
