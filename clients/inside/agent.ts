import {
  startProvider,
  type ScriptedProvider,
  type ServedRequest,
} from 'throughline/testing/provider'
import type { ServedAnswer } from '../../packages/throughline/src/testing/provider/served-answer.ts'
import type { InsideClient } from './client-trial.ts'
import type { Workspace } from './workspace.ts'

/** What the human asks for, with a rule that holds through every compaction. */
export const task = 'Read all the notes, one after the other, and tell me the word of each.'
export const rule = 'Always answer in English.'
export const prompt = `${task} ${rule}`

type RequestKind = 'main' | 'title' | 'summary'

/** A provider whose model reads one file after the other, and says a lot about each. */
export interface ScriptedAgent extends ScriptedProvider {
  /** What each request was for, in the order of the requests. */
  kinds: RequestKind[]
  /** The human's newest words at each request, and in which process they were said. */
  heard: { words: string; process: number }[]
  /** From now on, this is what the human has said last. */
  hears: (words: string) => void
  /** How many files it has asked for. */
  read: () => number
}

interface AgentOptions extends Pick<
  InsideClient,
  'read' | 'asksForSummary' | 'summary' | 'strict'
> {
  workspace: Workspace
  /** The tokens that the provider takes, whatever the client believes. */
  window: number
  /** After so many calls it is done with a prompt; the last number holds for those that follow. */
  perPrompt: readonly number[]
}

/** As long as a model's: one of a few words would be taken for none. */
const usualSummary = `## Goal
Read the notes and tell the word of each.

## Instructions
- Answer as the user wishes.

## Discoveries
- The files are long, and the word of each stands in its middle.
${Array.from({ length: 40 }, (_, line) => `- Harbour ${line} is described with its weather, and with ${line * 17} ships that wait there for a better wind.`).join('\n')}

## Accomplished
- Files were read one after the other.

## Relevant files
- notes-1.txt`

export async function startAgent(options: AgentOptions): Promise<ScriptedAgent> {
  const { workspace, window, perPrompt, summary } = options
  const kinds: RequestKind[] = []
  let read = 0
  let inPrompt = 0
  let prompts = 0
  const heard: { words: string; process: number }[] = []
  let newest = { words: '', process: 0 }
  const script = (request: ServedRequest): ServedAnswer => {
    const kind = kindOf(request, options)
    kinds[request.number - 1] = kind
    heard[request.number - 1] = newest
    if (kind === 'title') return { text: 'Reading notes' }
    if (kind === 'summary') return { text: summary?.(usualSummary, request) ?? usualSummary }
    inPrompt += 1
    if (
      inPrompt > (perPrompt[prompts] ?? perPrompt.at(-1) ?? 0) ||
      read >= workspace.files.length
    ) {
      inPrompt = 0
      prompts += 1
      return { text: 'All of them are read.' }
    }
    read += 1
    const call = options.read(workspace.files[read - 1] ?? '')
    return { text: thoughts(read), calls: [{ id: `call_${read}`, ...call }] }
  }
  const provider = await startProvider({
    model: 'scripted',
    script,
    rules: { window, strict: options.strict ?? true },
  })
  return {
    url: provider.url,
    requests: provider.requests,
    close: provider.close,
    kinds,
    heard,
    hears: (words) => (newest = { words, process: newest.process + 1 }),
    read: () => read,
  }
}

function kindOf(
  request: ServedRequest,
  { read, asksForSummary }: Pick<AgentOptions, 'read' | 'asksForSummary'>,
): RequestKind {
  const { tools, said } = request
  if (asksForSummary?.(request)) return 'summary'
  if (tools.includes(read('').name)) return 'main'
  const [first] = said.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return /title/i.test(first?.slice(0, 300) ?? '') ? 'title' : 'summary'
}

/** What pruning alone cannot take away. */
export function thoughts(step: number): string {
  const lines = Array.from(
    { length: 200 },
    (_, index) =>
      `Thought ${index} of step ${step} is about ${(index * 7919 * step) % 9973} ships.`,
  )
  return `I read file ${step}. ${lines.join(' ')}`
}
