import { describe, expect, it } from "vitest";
import { callerAddressBehind } from "./caller-address.ts";

const behindProxies = callerAddressBehind(["10.0.0.0/8", "192.0.2.7", "fd00::/8", "2001:db8::7"]);

describe("the address of a caller", () => {
  it.each<[string, string | undefined, string | undefined]>([
    ["203.0.113.5", undefined, "203.0.113.5"],
    ["203.0.113.5", "198.51.100.1", "203.0.113.5"],
    ["2001:db8::8", "198.51.100.1", "2001:db8::8"],
    ["10.1.2.3", undefined, "10.1.2.3"],
    ["10.1.2.3", "198.51.100.1", "198.51.100.1"],
    ["::ffff:10.1.2.3", "198.51.100.1", "198.51.100.1"],
    ["::ffff:a01:203", "198.51.100.1", "198.51.100.1"],
    ["192.0.2.7", "198.51.100.1", "198.51.100.1"],
    ["192.0.2.8", "198.51.100.1", "192.0.2.8"],
    ["fd12::1", "2001:DB8:0:0::1", "2001:db8::1"],
    ["2001:db8::7", "198.51.100.1", "198.51.100.1"],
  ])("with the peer %s and the header %j is %s", (peer, forwardedFor, address) => {
    expect(behindProxies(peer, () => forwardedFor)).toBe(address);
  });

  it.each<[string, string]>([
    ["1.1.1.1, 198.51.100.1", "198.51.100.1"],
    ["1.1.1.1, 198.51.100.1, 10.0.0.2", "198.51.100.1"],
    ["198.51.100.1,10.0.0.3 ,\t10.0.0.2", "198.51.100.1"],
    ["10.0.0.4, 10.0.0.3", "10.0.0.4"],
    ["198.51.100.1, 192.0.2.7, fd00::5", "198.51.100.1"],
    ["198.51.100.1:4711", "198.51.100.1"],
    ["[2001:db8::1]:4711", "2001:db8::1"],
    ["[2001:db8::1]", "2001:db8::1"],
    ["::ffff:198.51.100.1", "198.51.100.1"],
    ["0:0:0:0:0:FFFF:c633:6401", "198.51.100.1"],
  ])("is found in X-Forwarded-For: %s behind a trusted proxy", (forwardedFor, address) => {
    expect(behindProxies("10.0.0.1", () => forwardedFor)).toBe(address);
  });

  it.each<[string, string]>([
    ["", "10.0.0.1"],
    [",", "10.0.0.1"],
    ["unknown", "10.0.0.1"],
    ["198.51.100.1, unknown", "10.0.0.1"],
    ["198.51.100.1, unknown, 10.0.0.2", "10.0.0.2"],
    ["_hidden, 10.0.0.2", "10.0.0.2"],
    ["198.51.100.1 10.0.0.2", "10.0.0.1"],
    ["198.51.100.256", "10.0.0.1"],
    ["0x7f.1", "10.0.0.1"],
    ["0177.0.0.1", "10.0.0.1"],
    ["2130706433", "10.0.0.1"],
    ["198.51.100.1:99:1", "10.0.0.1"],
    ["for=198.51.100.1", "10.0.0.1"],
    ["<script>", "10.0.0.1"],
    ["198.51.100.1\u0000", "10.0.0.1"],
    [`${"1.1.1.1,".repeat(2000)}x`, "10.0.0.1"],
  ])("is never taken from text that is not an address: %j", (forwardedFor, address) => {
    expect(behindProxies("10.0.0.1", () => forwardedFor)).toBe(address);
  });

  it("is unknown if the peer's address is unknown", () => {
    expect(behindProxies(undefined, () => "198.51.100.1")).toBeUndefined();
  });
});
