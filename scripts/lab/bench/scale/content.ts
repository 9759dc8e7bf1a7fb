/** What a definition costs as its rules, or the slabs of one rule, grow to the largest content that the server takes. */

import { counterDigits, definition, requestText } from "../server/calls.ts";
import type { Child } from "../server/child.ts";
import type { Conditions, ContentFigures } from "./figures.ts";
import { type Course, interleave, type Subject } from "./interleave.ts";
import { type Postgres, populate, serve } from "./population.ts";

type Items = ContentFigures["series"][number]["items"];
type Case = ContentFigures["series"][number]["case"];

/** Of the server's default; MAX_CONTENT_BYTES. */
export const mostBytes = 65_536;
const connections = 8;
const statuses: Readonly<Record<Case, number>> = { known: 200, new: 200, faulty: 422 };

/** Content of so many rules, or of one rule with so many slabs; where faulty, each of them has a fault. */
export function contentOf(items: Items, count: number, isFaulty: boolean): string {
  const places = Array.from({ length: count }, (_, index) => index);
  const rules = places.map((index) => ({
    category: [1000 + index],
    type: 1,
    fixed_value: isFaulty ? -1 : 8,
  }));
  const slabs = places.map((index) => ({
    from: 100 * index,
    to: index === count - 1 ? -1 : 100 * (index + 1),
    value: isFaulty ? -1 : 7.5,
  }));
  const commission_data = items === "rules" ? rules : [{ category: [205], type: 2, slab_value: slabs }];
  return JSON.stringify({ commission: { ...definition(counterDigits), commission_data } });
}

/** 1, 10, 100 and so on, and last as many as there is room for, with a fault or without. */
export function countsOf(items: Items): number[] {
  const fits = (count: number): boolean =>
    [false, true].every((isFaulty) => contentOf(items, count, isFaulty).length <= mostBytes);
  const counts: number[] = [];
  for (let count = 1; fits(count); count *= 10) counts.push(count);
  let [least, beyond] = [counts.at(-1) ?? 1, (counts.at(-1) ?? 1) * 10];
  while (beyond - least > 1) {
    const middle = Math.floor((least + beyond) / 2);
    if (fits(middle)) least = middle;
    else beyond = middle;
  }
  return counts.includes(least) ? counts : [...counts, least];
}

export async function measureContent({
  asker,
  folder,
  course,
}: {
  asker: Child;
  postgres: Postgres;
  folder: string;
  course: Course;
}): Promise<Omit<ContentFigures, keyof Conditions>> {
  const population = await populate({ name: "content", rows: 10, folder }, course.progress);
  await using running = await serve(population);
  const cases = Object.keys(statuses) as Case[];
  const series = (["rules", "slabs"] as const).flatMap((items) =>
    cases.map((each) => {
      const points = countsOf(items).map((count) => {
        const content = contentOf(items, count, each === "faulty");
        const request = requestText("GET", "/", content, population.shop.secretKey);
        const subject: Subject = {
          name: `${count} ${items}, ${each}`,
          servers: [running],
          status: statuses[each],
          load: {
            connections,
            request,
            ...(each === "new" && { counterAt: request.indexOf(counterDigits) }),
          },
        };
        return { count, bytes: content.length, subject };
      });
      return { items, case: each, points };
    }),
  );
  const { measured, rounds } = await interleave(
    asker,
    series.map(({ points }) => points.map(({ subject }) => subject)),
    course,
  );
  return {
    rounds,
    ms: course.ms,
    series: series.map(({ items, case: each, points }, index) => ({
      items,
      case: each,
      points: (measured[index] ?? []).map((point, place) => ({
        ...point,
        count: points[place]?.count ?? Number.NaN,
        bytes: points[place]?.bytes ?? Number.NaN,
      })),
    })),
  };
}
