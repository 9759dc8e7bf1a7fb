import { expect, it } from "vitest";
import { createDemo, keyCommand } from "./demo.ts";
import { openStore } from "./store/open.ts";

it("a demo tenant is created only in an empty database", async () => {
  const store = await openStore("file::memory:");
  const create = () => createDemo(store, Date.now, "http://shop.test");
  expect(await create()).toMatch(/secret key {8}sk_\w{49}\n {2}publishable key {3}pk_\w{49}\n/);
  expect(await create()).toBe(undefined);
  const tenants = await store.tenants.list();
  expect(tenants).toMatchObject([{ name: "Demo" }]);
  const [command] = (await keyCommand(store)).match(/(?<=server\/admin |-- )key create .*/) ?? [];
  expect(command).toBe(`key create --tenant ${tenants[0]?.id} --kind secret`);
  await store.close();
});
