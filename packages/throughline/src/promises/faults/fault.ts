import type { ModelSummarizerOptions } from '../../integrations/ai-sdk/summary/model-summarizer.ts'
import type { AiSdkStepOptions } from '../../integrations/ai-sdk/step-options.ts'
import type { ProviderRules, ServedAnswer, ServedRequest } from '../../testing/provider/index.ts'

import type { Elsewhere } from './elsewhere.ts'
import type { WireName } from './wires.ts'

/** One request of the agent, or of its summarizer. */
interface Call {
  request: ServedRequest
  /** Counted from 1 among those of its kind. */
  number: number
  /** Whether a summary was requested just before. */
  afterSummary: boolean
  /** The answer without the fault. */
  answer: ServedAnswer
}

/** The answer, with or without the fault in it. */
export type Answering = (call: Call) => ServedAnswer

/** One thing that a provider can do to an agent: a row of the table. */
export interface Fault {
  name: string
  agent?: Answering
  summary?: Answering
  rules?: ProviderRules
  /** Summaries are asked for where nobody answers. */
  elsewhere?: Elsewhere
  /** The APIs that it applies to; all by default. */
  wires?: readonly WireName[]
  /** The window that the session assumes, in tokens. */
  window?: number
  /** Whether the session continues from a long one. */
  resumed?: true
  /** Whether the model thinks before each answer. */
  thinks?: true
  step?: Partial<AiSdkStepOptions>
  summarizer?: ModelSummarizerOptions
}

/** Whether an answer arrives whole: the task continues from it. */
export function arrives({ refuses, error, sends, breaks, hangs }: ServedAnswer): boolean {
  return !refuses && error === undefined && !sends && breaks === undefined && !hangs
}
