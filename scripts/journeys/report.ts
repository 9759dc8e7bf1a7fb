/** Tells how journeys went, without a word of what was sent or answered beyond statuses and request ids. */
import { styleText } from "node:util";
import type { JourneyOutcome, StepOutcome } from "./run.ts";

export function terminalReport(outcomes: readonly JourneyOutcome[], isColoured: boolean): string {
  const paint = (style: "red" | "green" | "gray", text: string): string =>
    isColoured ? styleText(style, text, { validateStream: false }) : text;
  const lines = outcomes.flatMap((outcome) => {
    const { journey, missing, steps } = outcome;
    const title = `${journey.id}  ${journey.summary}`;
    if (missing.length > 0)
      return [`${paint("gray", "not run")}  ${title}`, `         give ${missing.join(", ")}`];
    const verdict = isPassed(outcome) ? paint("green", "passed ") : paint("red", "failed ");
    return [`${verdict}  ${title}`, ...steps.flatMap((step) => stepLines(step))];
  });
  const count = (isMeant: (outcome: JourneyOutcome) => boolean) => outcomes.filter(isMeant).length;
  const failed = count((outcome) => !isPassed(outcome) && !isLeft(outcome));
  return `${lines.join("\n")}\n\n${count(isPassed)} passed, ${failed} failed, ${count(isLeft)} not run\n`;
}

function stepLines({ step, answer, faults }: StepOutcome): string[] {
  if (faults.length === 0) return [];
  const answered = answer === undefined ? "" : ` answered ${answer.status}, request ${answer.requestId}`;
  return [
    `         ${step.id} (${step.operationId})${answered}`,
    ...faults.map((fault) => `           ${fault}`),
  ];
}

/** Not run, for want of inputs. */
export function isLeft({ missing }: JourneyOutcome): boolean {
  return missing.length > 0;
}

export function isPassed(outcome: JourneyOutcome): boolean {
  return !isLeft(outcome) && outcome.steps.every(({ faults }) => faults.length === 0);
}
