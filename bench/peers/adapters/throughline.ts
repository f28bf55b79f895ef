import { defaultPolicy, type Policy, type Summarizer, type SummaryRequest } from 'throughline'
import { logOf } from 'throughline/engine'
import { throughlineCompactor, tokensOf, visibleTextOfMessages } from 'throughline/evaluation'
import type { Adapter, Model, PeerRequest } from '../adapter.ts'

/**
 * Throughline behind the peers' own interface, for figures that only a separate process can show:
 * speed and size.
 */
export const throughlineLocal: Adapter = {
  name: 'Throughline, local summary',
  package: 'throughline',
  work: 'summarizes',
  settings: 'the default policy, the budget as its keep',
  compact: (request) => compacted(request, undefined),
}

export const throughlineModel: Adapter = {
  ...throughlineLocal,
  name: 'Throughline, model summary',
  compact: (request) => compacted(request, summarizerOf(request.model)),
}

/** A window in which pruning alone makes enough room. */
export const throughlinePrune: Adapter = {
  ...throughlineLocal,
  name: 'Throughline, pruning alone',
  work: 'trims',
  settings: 'pruning alone whenever it makes room, in a window in which it does',
  async compact({ messages }) {
    const tokens = tokensOf(visibleTextOfMessages(messages))
    const policy: Policy = {
      ...defaultPolicy,
      reserved: () => 0,
      lowWater: (usable) => usable - 1,
      pruneAlone: () => true,
    }
    const compactor = throughlineCompactor({ policy, window: { context: tokens }, trigger: 'auto' })
    const answer = await compactor.compact({ log: logOf(messages), keep: tokens, directories: [] })
    return { messages: answer.messages, summary: answer.summary }
  },
}

async function compacted(
  { messages, keep }: PeerRequest,
  summarizer: Summarizer | undefined,
): ReturnType<Adapter['compact']> {
  const compactor = throughlineCompactor(summarizer ? { summarizer } : {})
  const answer = await compactor.compact({ log: logOf(messages), keep, directories: [] })
  return { messages: answer.messages, summary: answer.summary }
}

/** The model that the peers have too, as Throughline asks one. */
export function summarizerOf(model: Model): Summarizer {
  return {
    name: 'stand-in',
    summarize: async (request) => {
      const headings = request.template.sections.map(({ heading }) => heading)
      const text = model.answer({
        prompt: promptOf(request),
        instruction: request.instruction,
        most: request.budget,
        headings,
      })
      return { text, finish: 'stop' }
    },
  }
}

function promptOf({ head, previous, instruction }: SummaryRequest): string {
  return [previous ?? '', visibleTextOfMessages(head), instruction].join('\n')
}
