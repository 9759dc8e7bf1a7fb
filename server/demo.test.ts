import { expect, it } from "vitest";
import { createDemo } from "./demo.ts";
import { openStore } from "./store/open.ts";

it("a demo tenant is created only in an empty database", async () => {
  const store = await openStore("file::memory:");
  const create = () => createDemo(store, Date.now, "http://shop.test");
  expect(await create()).toMatch(/secret key {8}sk_\w{49}\n {2}publishable key {3}pk_\w{49}\n/);
  expect(await create()).toBe(undefined);
  expect(await store.tenants.list()).toMatchObject([{ name: "Demo" }]);
  await store.close();
});
