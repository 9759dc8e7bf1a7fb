import { expect, test } from "vitest";
import { networkOf } from "./addresses.ts";

test.each([
  ["an IPv4 address is its own network", "192.0.2.1", "192.0.2.1"],
  [
    "an IPv4 address that is mapped into IPv6 has the network of the IPv4 address",
    "::ffff:192.0.2.1",
    "192.0.2.1",
  ],
  ["even if it is written in hexadecimal", "::FFFF:c000:0201", "192.0.2.1"],
  ["even if no zeros are omitted", "0:0:0:0:0:ffff:192.0.2.1", "192.0.2.1"],
  ["the network of an IPv6 address is its first 64 bits", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["an IPv6 address may omit zeros at the start", "::1", "0:0:0:0::/64"],
  ["an IPv6 address may omit zeros in the middle", "2001:db8::5:6", "2001:db8:0:0::/64"],
  ["an IPv6 address may omit zeros at the end", "2001:0DB8:1:2::", "2001:db8:1:2::/64"],
  ["an IPv6 address may end with an IPv4 address", "64:ff9b::192.0.2.1", "64:ff9b:0:0::/64"],
  ["the zone of an IPv6 address is removed", "fe80::1%eth0", "fe80:0:0:0::/64"],
  ["text that is not an address is unchanged", "unknown", "unknown"],
])("%s: %s", (_, address, network) => {
  expect(networkOf(address)).toBe(network);
});
