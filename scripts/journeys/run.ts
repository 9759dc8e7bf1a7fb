/** Runs journeys: each step by one call, its answer held to its criteria. The first step that fails ends its journey. */
import { CallError } from "../../client/index.ts";
import type { Json, JsonObject } from "../generate/document.ts";
import type { Journey, Parameter, Step } from "./arazzo.ts";
import { type Answer, filled, holds, resolve, type Scope } from "./expressions.ts";

export interface Call {
  readonly operationId: string;
  /** By their places. */
  readonly parameters: { readonly [Place in Parameter["in"]]: JsonObject };
  readonly content: { readonly mediaType: string; readonly payload: Json } | undefined;
}

export interface CallAnswer extends Answer {
  readonly requestId: string;
  /** What the spec does not describe of the answer. */
  readonly undocumented: readonly string[];
}

/** @throws CallError where no answer came */
export type CallOperation = (call: Call) => Promise<CallAnswer>;

export interface StepOutcome {
  readonly step: Step;
  /** None where no answer came. */
  readonly answer?: Pick<CallAnswer, "status" | "requestId">;
  /** What was not as the journey says. */
  readonly faults: readonly string[];
  readonly outputs: Outputs;
}

export interface JourneyOutcome {
  readonly journey: Journey;
  /** The required inputs that there are none of; the journey was not run then. */
  readonly missing: readonly string[];
  /** Of the steps that were run. */
  readonly steps: readonly StepOutcome[];
}

type Outputs = { readonly [name: string]: Json | undefined };

export type Inputs = { readonly [name: string]: Json };

export async function runJourney(
  journey: Journey,
  inputs: Inputs,
  call: CallOperation,
): Promise<JourneyOutcome> {
  const missing = [...journey.inputs]
    .filter(([name, { isRequired }]) => isRequired && inputs[name] === undefined)
    .map(([name]) => name);
  const steps: StepOutcome[] = [];
  if (missing.length > 0) return { journey, missing, steps };
  const outputs = new Map<string, Outputs>();
  for (const step of journey.steps) {
    const outcome = await runStep(step, { inputs, outputs }, call);
    steps.push(outcome);
    if (outcome.faults.length > 0) break;
    outputs.set(step.id, outcome.outputs);
  }
  return { journey, missing, steps };
}

async function runStep(step: Step, scope: Scope, call: CallOperation): Promise<StepOutcome> {
  let answer: CallAnswer;
  try {
    answer = await call(callOf(step, scope));
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    return { step, faults: [error.message], outputs: {} };
  }
  const answered = { ...scope, answer };
  const broken = step.criteria.filter(({ condition }) => !holds(condition, answered));
  const faults = [...answer.undocumented, ...broken.map(({ text }) => `${text} does not hold`)];
  const outputs = Object.fromEntries(
    [...step.outputs].map(([name, each]) => [name, resolve(each, answered)]),
  );
  return { step, answer, faults, outputs };
}

function callOf({ operationId, parameters, content }: Step, scope: Scope): Call {
  const at = (place: Parameter["in"]): JsonObject =>
    Object.fromEntries(
      parameters
        .filter((parameter) => parameter.in === place)
        .map(({ name, value }) => [name, filled(value, scope)]),
    );
  return {
    operationId,
    parameters: { path: at("path"), query: at("query"), header: at("header"), cookie: at("cookie") },
    content: content && { ...content, payload: filled(content.payload, scope) },
  };
}
