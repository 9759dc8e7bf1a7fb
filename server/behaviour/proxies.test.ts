import { describe, expect, it } from "vitest";
import { startService } from "../testing/service.ts";

describe("a server behind a proxy", () => {
  const login = { method: "POST", path: "/v1/users/login" };
  const attempts = async (trustedProxies: string, header: string) => {
    await using service = await startService({
      settings: { TRUSTED_PROXIES: trustedProxies, LOGIN_ATTEMPTS_PER_ADDRESS: "1" },
    });
    const statuses: number[] = [];
    for (const last of ["1", "2", "1"]) {
      const { status } = await service.send({
        ...login,
        key: service.acme.publishableKey,
        headers: { [header]: `203.0.113.9, 198.51.100.${last}` },
        body: {
          user: { uuid: "u", type: "customer", dial_code: "91", mobile: `99999${last}`, password: "wrong" },
        },
      });
      statuses.push(status);
    }
    const addresses = service.logged
      .filter(({ msg }) => msg === "request completed")
      .map(({ address }) => address);
    return { statuses, addresses };
  };

  it("limits and logs callers by the address that the proxy sends", async () => {
    expect(await attempts("127.0.0.0/8", "X-Forwarded-For")).toEqual({
      statuses: [401, 401, 429],
      addresses: ["198.51.100.1", "198.51.100.2", "198.51.100.1"],
    });
  });

  it.each([
    ["X-Forwarded-For of a peer that is not trusted", "X-Forwarded-For", "10.0.0.0/8"],
    ["Forwarded, which no trusted proxy sets", "Forwarded", "127.0.0.0/8"],
    ["X-Real-IP, which no trusted proxy sets", "X-Real-IP", "127.0.0.0/8"],
  ])("does not trust %s", async (_, header, trusted) => {
    expect(await attempts(trusted, header)).toEqual({
      statuses: [401, 429, 429],
      addresses: ["127.0.0.1", "127.0.0.1", "127.0.0.1"],
    });
  });
});
