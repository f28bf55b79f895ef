import type { AiSdkStepOptions, ModelSummarizerOptions } from '../../integrations/ai-sdk/index.ts'
import type { ProviderRules, ServedAnswer, ServedRequest } from '../../testing/provider/index.ts'

import type { WireName } from './wires.ts'

/** One request of the agent, or of its summarizer. */
interface Call {
  request: ServedRequest
  /** Counted from 1 among those of its kind. */
  number: number
  /** Whether a summary was asked for right before. */
  afterSummary: boolean
  /** What would be answered without the fault. */
  answer: ServedAnswer
}

/** What is answered, the fault in it or not. */
export type Answering = (call: Call) => ServedAnswer

/** One thing that a provider can do to an agent: a row of the table. */
export interface Fault {
  name: string
  /** How it answers the agent. */
  agent?: Answering
  /** How it answers who asks for a summary. */
  summary?: Answering
  rules?: ProviderRules
  /** Of which APIs it is; by default of all. */
  wires?: readonly WireName[]
  /** Tokens that the session believes the model takes. */
  window?: number
  /** Whether the session goes on from a long one. */
  resumed?: true
  /** Whether the model thinks before each answer. */
  thinks?: true
  step?: Partial<AiSdkStepOptions>
  summarizer?: ModelSummarizerOptions
}

/** Whether an answer arrives whole: the task goes on from it. */
export function arrives({ refuses, error, breaks, hangs }: ServedAnswer): boolean {
  return !refuses && error === undefined && breaks === undefined && !hangs
}
